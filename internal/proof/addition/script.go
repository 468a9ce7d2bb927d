package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// lastWord matches a word at the end of code.
var lastWord = lazyregexp.New(`[\w$]+$`)

// scriptToken is tokenAt for JavaScript, but for comments.
func scriptToken(text string, code []byte, at int) (size int, comment, sure bool) {
	rest := text[at:]
	switch text[at] {
	case '"', '\'':
		size = quotedSize(rest, false)
		return size, false, size > 0
	case '`':
		size, sure = templateSize(rest)
		return size, false, sure
	case '/':
		size, sure = patternSize(rest, code[:at])
		return size, false, sure
	case '<':
		return 0, false, !strings.HasPrefix(rest, "<!--")
	case '-':
		return 0, false, !strings.HasPrefix(rest, "-->")
	}
	return 0, false, true
}

// templateSize is the size of a text in backquotes, whose expressions may hold others.
func templateSize(text string) (size int, sure bool) {
	sure = true
	code := []byte(text)
	depth := 0 // of the braces of an expression
	for at := 1; at < len(text); {
		switch {
		case depth == 0 && text[at] == '\\':
			at += 2
		case depth == 0 && text[at] == '`':
			return at + 1, sure
		case depth == 0 && strings.HasPrefix(text[at:], "${"):
			depth, at = 1, at+2
		case depth == 0:
			at++
		default:
			inner, _, certain := tokenAt("js", text, code, at)
			if sure = sure && certain; inner == 0 {
				switch text[at] {
				case '{':
					depth++
				case '}':
					depth--
				}
			}
			at += max(inner, 1)
		}
	}
	return len(text), sure
}

// patternSize is the size of a regular expression that a slash may begin; 0 for a division. sure is
// false where what is before it does not tell.
func patternSize(text string, before []byte) (size int, sure bool) {
	code := strings.TrimRight(string(before[max(0, len(before)-200):]), " \t\r\n")
	last := code[max(0, len(code)-1):]
	word := strings.Join(lastWord.FindStringSubmatch(code), "")
	switch {
	case word != "":
		if !slices.Contains([]string{"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await", "yield", "instanceof"}, word) {
			return 0, true
		}
	case last == `"` || last == "]":
		return 0, true
	case strings.Contains(")}<", last) && last != "", strings.HasSuffix(code, "++"), strings.HasSuffix(code, "--"):
		return 0, false
	}
	class := false
	for at := 1; at < len(text) && text[at] != '\n'; at++ {
		switch c := text[at]; {
		case c == '\\':
			at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return at + 1, true
		}
	}
	return 0, false
}
