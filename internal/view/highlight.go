package view

import (
	"html"
	"path"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// syntax is what a line of a language shows without the lines around it: a diff has only
// some of a file. Strings that span lines are not known.
type syntax struct {
	comments []string
	quotes   string
	keywords map[string]bool
	anyCase  bool // keywords are also those in capitals
}

// languages are the families by the ending of a file's name, or by the whole of it.
var languages = sync.OnceValue(func() map[string]*syntax {
	braces := &syntax{[]string{"//", "/*"}, "\"'`", wordSet(`abstract any as async await bool boolean break byte case catch chan char class const constexpr
continue def default defer delete do double dyn else enum export extends extern false final finally float fn for foreach from fun func function go
goto if impl implements import in include instanceof int interface internal let lock long loop map match mod module mut namespace new nil null
number object of override package private protected pub public range readonly return select self short sizeof static string struct super switch
template this throw trait true try type typedef typeof union unsafe use using val var virtual void volatile where while with yield`), false}
	hashes := &syntax{[]string{"#"}, "\"'`", wordSet(`True False None and as assert async await begin break case class continue def del do done elif else
elsif end ensure esac except export false fi finally for from function global if import in is lambda local module next nil nonlocal not null or pass
raise require rescue return self set then true try unless until when while with yield`), false}
	dashes := &syntax{[]string{"--", "/*"}, "\"'", wordSet(`add all alter and as asc begin between by case check commit constraint create default delete desc
distinct do drop else end exists false for foreign from function group having if in index inner insert into is join key left like limit local not
null on or order outer primary references repeat return right rollback select set table then true unique until update using values view when where while with`), true}
	quoted := &syntax{nil, `"`, wordSet("true false null"), false}
	styles := &syntax{[]string{"/*", "//"}, "\"'", nil, false}
	return map[string]*syntax{
		".go": braces, ".js": braces, ".jsx": braces, ".mjs": braces, ".cjs": braces, ".ts": braces, ".tsx": braces, ".java": braces, ".kt": braces,
		".c": braces, ".h": braces, ".cc": braces, ".cpp": braces, ".hpp": braces, ".cs": braces, ".rs": braces, ".swift": braces, ".scala": braces,
		".php": braces, ".dart": braces, ".proto": braces, ".zig": braces,
		".py": hashes, ".rb": hashes, ".sh": hashes, ".bash": hashes, ".pl": hashes, ".yaml": hashes, ".yml": hashes, ".toml": hashes, ".r": hashes,
		".ex": hashes, ".exs": hashes, ".nix": hashes, "makefile": hashes, "dockerfile": hashes,
		".sql": dashes, ".lua": dashes, ".hs": dashes, ".json": quoted, ".css": styles, ".scss": styles,
	}
})

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// syntaxOf is the family of a file's language; nil where it is not known.
func syntaxOf(name string) *syntax {
	base := strings.ToLower(path.Base(name))
	if s := languages()[path.Ext(base)]; s != nil {
		return s
	}
	return languages()[base]
}

// highlight is a line of code as HTML: keywords, strings, numbers and comments are marked
// by a class, and all of it is escaped. It reads the line once.
func (s *syntax) highlight(line string) string {
	if s == nil {
		return html.EscapeString(line)
	}
	var b strings.Builder
	for line != "" {
		n, class := s.token(line)
		if words := html.EscapeString(line[:n]); class == "" {
			b.WriteString(words)
		} else {
			b.WriteString(`<span class="` + class + `">` + words + `</span>`)
		}
		line = line[n:]
	}
	return b.String()
}

// token is the length of the first token of a line, and its class: k, s, n, c or none.
func (s *syntax) token(line string) (n int, class string) {
	for _, mark := range s.comments {
		if strings.HasPrefix(line, mark) {
			if end := strings.Index(line, "*/"); mark == "/*" && end > 0 {
				return end + len("*/"), "c"
			}
			return len(line), "c"
		}
	}
	first, width := utf8.DecodeRuneInString(line)
	switch {
	case strings.ContainsRune(s.quotes, first):
		if n := quotedLength(line); n > 0 {
			return n, "s"
		}
		return len(line), "" // it ends on a later line
	case unicode.IsDigit(first):
		return wordLength(line), "n"
	case first == '_' || unicode.IsLetter(first):
		n := wordLength(line)
		if s.keywords[line[:n]] || s.anyCase && s.keywords[strings.ToLower(line[:n])] {
			return n, "k"
		}
		return n, ""
	}
	return width, ""
}

// quotedLength is the length of the string that a line begins with; 0 where it does not
// end there.
func quotedLength(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[0]:
			return i + 1
		}
	}
	return 0
}

func wordLength(line string) int {
	for i, r := range line {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(line)
}
