package shell

import (
	"slices"
	"strings"
	"unicode"
)

// HereDocument is the input of a command that stands in the lines below it.
type HereDocument struct {
	// Line is the line of the command; the document is the lines from First up to End, which ends
	// it. All count from 0.
	Line, First, End int
}

// HereDocuments are those in the lines of a script, the first of each line. One without an end is
// none.
func HereDocuments(lines []string) (found []HereDocument) {
	for n := 0; n < len(lines); n++ {
		last := lastOfDocument(lines[n])
		size := slices.IndexFunc(lines[n+1:], func(line string) bool { return strings.TrimSpace(line) == last })
		if last == "" || size < 0 {
			continue
		}
		found = append(found, HereDocument{Line: n, First: n + 1, End: n + 1 + size})
		n += 1 + size
	}
	return found
}

// lastOfDocument is the word that ends the document of a command; "" of one that has none.
func lastOfDocument(command string) string {
	_, behind, _ := strings.Cut(command, "<<")
	word := strings.TrimLeft(strings.TrimPrefix(behind, "-"), "\"'\\ \t")
	end := strings.IndexFunc(word, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end >= 0 {
		word = word[:end]
	}
	if word == "" || unicode.IsDigit(rune(word[0])) {
		return ""
	}
	return word
}
