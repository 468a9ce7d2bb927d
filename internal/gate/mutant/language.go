package mutant

import (
	"path"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// language is how sources mark what is no code, and what only they have.
type language struct {
	// noCode matches comments and texts.
	noCode *lazyregexp.Regexp
	// nothing is the value that takes the place of a returned one; "" is none that builds.
	nothing string
	// tests begins the tests within a source; "" is none.
	tests string
	// tight: operators stand without spaces, too.
	tight bool
}

var (
	likeC      = lazyregexp.New("(?s)//[^\\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.[^'\\n]*|[^'\\\\\\n])'|`[^`]*`")
	likeScript = lazyregexp.New("(?s)//[^\\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`")
	likePython = lazyregexp.New(`(?s)#[^\n]*|"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)
)

// languageOf knows a language by the ending of a file's name.
func languageOf(file string) (language, bool) {
	switch strings.ToLower(path.Ext(file)) {
	case ".py":
		return language{noCode: likePython, nothing: "None"}, true
	case ".rb":
		return language{noCode: likePython, nothing: "nil"}, true
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		return language{noCode: likeScript, nothing: "undefined"}, true
	case ".php":
		return language{noCode: likeScript, nothing: "null"}, true
	case ".rs":
		return language{noCode: likeC, tests: "#[cfg(test)]"}, true
	case ".go":
		return language{noCode: likeC, tight: true}, true
	case ".java", ".kt", ".scala", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".cs", ".swift":
		return language{noCode: likeC}, true
	}
	return language{}, false
}

// mask returns the source with spaces in place of comments, and underscores in place of what
// is within texts, so that no error is made there.
func (l language) mask(text string) string {
	out := []byte(text)
	for _, m := range l.noCode.FindAllStringIndex(text, -1) {
		fill, from, to := byte(' '), m[0], m[1]
		if isQuote(out[from]) {
			fill, from, to = '_', from+1, to-1
		}
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = fill
			}
		}
	}
	return string(out)
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func itoa(n int) string { return strconv.Itoa(n) }

// quote is a piece of code in one line, without spaces around it.
func quote(code string) string {
	if code = strings.TrimSpace(code); code == "" {
		return "nothing"
	}
	return "`" + strings.Join(strings.Fields(code), " ") + "`"
}
