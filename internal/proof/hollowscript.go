package proof

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

func hollowScript(text string) (found []function) {
	ends := blocksOf(text)
	for _, m := range scriptParameters.FindAllStringSubmatchIndex(text, -1) {
		body := m[1]
		if word := m[2]; word >= 0 && slices.Contains(noFunction, text[word:m[3]]) {
			continue
		}
		if strings.HasSuffix(text[:body], "=>") {
			body += len(text[body:]) - len(strings.TrimLeft(text[body:], " \t\n"))
			if !strings.HasPrefix(text[body:], "{") {
				continue
			}
			body++
		}
		if end := ends[body]; end > 0 {
			f := function{begin: m[0], body: body, end: end, fails: ` throw new Error("` + hollowed + `");`}
			if givesScript.MatchString(text[body:end]) {
				f.idle = " return;"
			}
			found = append(found, f)
		}
	}
	return found
}

var (
	givesScript = lazyregexp.New(`\breturn\s+[^\s;}]|\breturn[("'\x60\[{]`)
	// declaredName matches what a line of JavaScript or TypeScript declares.
	declaredName = lazyregexp.New(`\b(?:const|let|var|class|enum|interface|type|namespace|function\*?)\s+([\w$]+)|\bexports\.([\w$]+)\s*=|^\s+(?:(?:static|readonly|public|private|declare)\s+)*#?([\w$]+)\s*(?:[?!]?:|=[^=])`)
	// functionHere matches a function that is not hollowed, onlyHollow what is left of one that is.
	functionHere = lazyregexp.New(`=>|\bfunction\b\s*\*?\s*[\w$(]`)
	onlyHollow   = lazyregexp.New(`=\s*(?:async\s*)?;?\s*$`)
	importsThere = lazyregexp.New(`\bimport\b|\brequire\(`)
)

func declaredScript(rest string, old func(string) bool) (names []string) {
	for _, line := range codeLines("js", strings.Split(rest, "\n")) {
		if strings.TrimSpace(line) == "" || importsThere.MatchString(line) || onlyHollow.MatchString(line) || old(line) {
			continue
		}
		if functionHere.MatchString(line) {
			names = append(names, anything)
		}
		for _, m := range declaredName.FindAllStringSubmatch(line, -1) {
			names = append(names, strings.Join(m[1:], ""))
		}
	}
	return names
}
