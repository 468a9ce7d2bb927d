package addition

import (
	"slices"
	"strings"
)

// source is a text of a language as far as its lines and brackets need it.
type source struct {
	lang string
	// text is the source. In code, spaces stand for comments and quotes for texts, so that what is
	// left is code. Lines and columns stay.
	text, code string
	lines      []sourceLine
}

// sourceLine is what is known where a line begins.
type sourceLine struct {
	start, depth int  // its offset, and the brackets that are open
	inside       bool // it begins in a text or comment, or continues the line above it
	doubt        bool // it has what may be read in another way
}

// tabular reports whether tables and single tests of a language are read.
func tabular(lang string) bool {
	return slices.Contains([]string{"go", "python", "js", "rust"}, lang)
}

// members reports whether the tests of a language that are read are methods of a class in braces.
func members(lang string) bool { return lang == "java" || lang == "php" }

// readable reports whether a language is read.
func readable(lang string) bool { return tabular(lang) || members(lang) }

func read(lang string, lines []string) *source {
	s := &source{lang: lang, text: strings.Join(lines, "\n"), lines: make([]sourceLine, max(1, len(lines)))}
	code, n, depth := []byte(s.text), 0, 0
	for at := 0; at < len(code); {
		size, comment, sure := tokenAt(lang, s.text, code, at)
		s.lines[n].doubt = s.lines[n].doubt || !sure
		end := at + max(size, 1)
		for ; at < end; at++ {
			switch {
			case s.text[at] == '\n':
				n++
				s.lines[n] = sourceLine{start: at + 1, depth: depth, inside: size > 0}
			case size == 0:
				depth += bracketStep(code[at])
			case comment:
				code[at] = ' '
			default:
				code[at] = '"'
			}
		}
	}
	s.code = string(code)
	return s
}

// end is where a line ends.
func (s *source) end(n int) int {
	if n+1 < len(s.lines) {
		return s.lines[n+1].start - 1
	}
	return len(s.code)
}

// codeOf is the code of a line, without the spaces around it.
func (s *source) codeOf(n int) string {
	return strings.TrimSpace(s.code[s.lines[n].start:s.end(n)])
}

// isComment reports whether a line has a comment and no code.
func (s *source) isComment(n int) bool {
	return s.codeOf(n) == "" && strings.TrimSpace(s.text[s.lines[n].start:s.end(n)]) != ""
}

// remarkOf is a line that has a comment which a tool may obey; "" is none.
func (s *source) remarkOf(n int) string {
	if s.isComment(n) || members(s.lang) && s.hasRemark(s.lines[n].start, s.end(n)) {
		return s.text[s.lines[n].start:s.end(n)]
	}
	return ""
}

// tokenAt is the size of the text or comment that begins at a place; 0 is none. sure is false where
// a language may read the place in another way.
func tokenAt(lang, text string, code []byte, at int) (size int, comment, sure bool) {
	rest := text[at:]
	switch c := text[at]; {
	case lang == "python":
		return pythonToken(text, at)
	case lang == "java":
		return javaToken(rest)
	case lang == "php":
		return phpToken(text, at)
	case c == '/' && strings.HasPrefix(rest, "//"):
		return lineSize(rest), true, true
	case c == '/' && strings.HasPrefix(rest, "/*"):
		return blockSize(rest, lang == "rust"), true, true
	case lang == "js":
		return scriptToken(text, code, at)
	case lang == "rust":
		return rustToken(text, at)
	case c == '`':
		return sizeUntil(rest, 1, "`"), false, true
	case c == '"' || c == '\'':
		size = quotedSize(rest, false)
		return size, false, size > 0
	}
	return 0, false, true
}

func lineSize(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// sizeUntil is the size of what an end ends, or of all that is left.
func sizeUntil(text string, from int, end string) int {
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}

func blockSize(text string, nested bool) int {
	depth := 0
	for at := 0; at+1 < len(text); at++ {
		switch two := text[at : at+2]; {
		case two == "/*" && (depth == 0 || nested):
			depth++
			at++
		case two == "*/":
			if depth--; depth == 0 {
				return at + 2
			}
			at++
		}
	}
	return len(text)
}

// quotedSize is the size of a text that begins with its quote. One that may not have line ends, and
// is not closed, has the size 0.
func quotedSize(text string, manyLines bool) int {
	for at := 1; at < len(text); at++ {
		switch {
		case text[at] == '\\':
			at++
		case text[at] == text[0]:
			return at + 1
		case text[at] == '\n' && !manyLines:
			return 0
		}
	}
	if manyLines {
		return len(text)
	}
	return 0
}

func pythonToken(text string, at int) (size int, comment, sure bool) {
	rest := text[at:]
	switch c := text[at]; {
	case c == '#':
		return lineSize(rest), true, true
	case strings.HasPrefix(rest, "\\\n"):
		return 2, true, true
	case c != '"' && c != '\'':
		return 0, false, true
	}
	if quotes := strings.Repeat(rest[:1], 3); strings.HasPrefix(rest, quotes) {
		size = tripleSize(rest)
	} else if size = quotedSize(rest, false); size == 0 {
		return 0, false, false
	}
	begin := at
	for begin > 0 && at-begin < 3 && wordByte(text[begin-1]) {
		begin--
	}
	formatted := strings.ContainsAny(text[begin:at], "fFtT")
	return size, false, !formatted || closesFields(rest[:size])
}

// tripleSize is the size of a text that begins with three quotes.
func tripleSize(text string) int {
	for i := 3; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if strings.HasPrefix(text[i:], text[:3]) {
			return i + 3
		}
	}
	return len(text)
}

// closesFields reports whether the quote that ends a formatted text of Python stands in none of its
// fields, which may hold texts: later versions of Python take it for the beginning of one.
func closesFields(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		two := text[i:min(i+2, len(text))]
		switch c := text[i]; {
		case depth == 0 && (two == "{{" || two == "}}"):
			i++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth > 0 && (c == '"' || c == '\''):
			size := quotedSize(text[i:], false)
			if i += size - 1; size == 0 {
				return false
			}
		case depth > 0 && (c == '#' || c == '\\'):
			return false // a comment takes the end of the field
		}
	}
	return depth == 0
}

func rustToken(text string, at int) (size int, comment, sure bool) {
	rest := text[at:]
	switch c := text[at]; {
	case c == '"':
		return quotedSize(rest, true), false, true
	case c == 'r' && (at == 0 || !wordByte(text[at-1]) || (text[at-1] == 'b' || text[at-1] == 'c') && (at == 1 || !wordByte(text[at-2]))):
		hashes := len(rest[1:]) - len(strings.TrimLeft(rest[1:], "#"))
		if strings.HasPrefix(rest[1+hashes:], `"`) {
			return sizeUntil(rest, hashes+2, `"`+strings.Repeat("#", hashes)), false, true
		}
	case c == '\'' && strings.HasPrefix(rest, `'\`):
		size = quotedSize(rest, false)
		return size, false, size > 0
	case c == '\'':
		for i := range strings.TrimPrefix(rest, "'") {
			if i > 0 {
				if rest[1+i] == '\'' {
					size = i + 2
				}
				break
			}
		}
	}
	return size, false, true
}
