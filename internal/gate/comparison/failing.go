package comparison

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// failures are how a program fails, by language: an assertion, where the language has one, so
// that what catches one catches this, too.
var failures = map[string]string{
	Shell: "exit 1", Make: "exit 1",
	"python": `raise AssertionError("ralph")`, "js": `throw new Error("ralph");`, "go": `panic("ralph")`, "rust": `panic!("ralph");`,
	"c": "__builtin_trap();", "perl": `die "ralph";`, "ruby": `raise "ralph"`, "php": `throw new Error("ralph");`,
}

var (
	// endsEarly matches what may end a script before its last line, without a failure.
	endsEarly = lazyregexp.New(`\bexit\s*(?:\(\s*)?(?:0|\)|;|$)|\breturn 0\b`)
	// branchesHere matches what may keep a line from its comparison.
	branchesHere = lazyregexp.New(`\b(?:if|elif|unless|while|until|when|case|for)\b|\?|\breturn\b|&&[^&]*(?:\[|\btest\b)`)
	// decidesIf matches a condition that begins a line and compares, whatever follows from it.
	decidesIf = lazyregexp.New(`^if\s+[^:()\[]*(?:\([^()]*\))?\s*[=!]=|^if\s*\((?:[^()]|\([^()]*\))*[=!]==?|^if\s+\[+\s[^\]]*\s(?:==?|!=|-eq|-ne)\s`)
	// continues matches the end of a line that the next one continues, by form.
	continuesCommand = lazyregexp.New(`(?:\\|&&|\|\||\||\(|\bdo|\bthen|\bin)$`)
	opensCommand     = lazyregexp.New(`(?:\bdo|\bthen|\belse|\{|\()$`)
	continuesPython  = lazyregexp.New(`(?:[,(\[{\\+*/%=<>|&-]|\b(?:and|or|not|in|is|if|else|return))$`)
	endsStatement    = lazyregexp.New(`(?:[;{}]|\*/)$|^\s*(?://.*|#.*|/\*.*)?$`)
	// goesOn matches a line that belongs to the one before.
	goesOn = lazyregexp.New(`^(?:(?:elif|else|except|finally|catch|then|do|done|fi|esac|case|default|in)\b|;;|&&|\|\||\||[)\]}.,?:+*/=]|["']?[\w.]+["']?\s*:(?:[^:]|$))`)
)

// exitsBadly matches the end of a script with a failure, mayExit what else may end it.
var (
	exitsBadly = lazyregexp.New(`(?m)\b(?:exit|SystemExit)\s*\(?\s*(?:[1-9]\d*|f?"[^"\n]*"|f?'[^'\n]*')\s*(?:[);}]|$)`)
	mayExit    = lazyregexp.New(`(?i)_?exit|\bquit\b|\bexec\b|\breturn 0\b|unittest\.main`)
)

// FailingAtEnd is a script that fails where it has come to its end. It is as it was where nothing
// can be put there, or where its own text may end it well before.
func FailingAtEnd(lang, text string) string {
	statement := failures[lang]
	if !endsByItself(lang) || mayExit.MatchString(exitsBadly.ReplaceAllString(text, "")) {
		return text
	}
	return strings.TrimRight(text, "\n") + "\n" + statement + "\n"
}

// endsByItself reports whether a program of the language ends where its text does.
func endsByItself(lang string) bool { return slices.Contains([]string{Shell, "python", "js"}, lang) }

// Unreadable is the text with a line in the beginning that is in no language, so that what reads
// it fails before anything of it runs.
func Unreadable(text string) string {
	first := ""
	if strings.HasPrefix(text, "#!") {
		first, text, _ = strings.Cut(text, "\n")
		first += "\n"
	}
	return first + ")(\n" + text
}

// failing is a line by which the script fails before one of its lines.
func (t *text) failing(n int) string {
	statement, code := failures[t.lang], strings.TrimSpace(t.lines[n])
	inside := strings.TrimLeft(t.lines[n], " \t") != t.lines[n]
	switch {
	case statement == "" || t.readers[n] != readByNone || goesOn.MatchString(code):
		return ""
	case t.lang == Make && !strings.HasPrefix(t.lines[n], "\t"), slices.Contains([]string{"go", "c", "rust"}, t.lang) && !inside:
		return ""
	}
	before := ""
	for at := n - 1; at >= 0 && before == ""; at-- {
		before = strings.TrimSpace(t.lines[at])
		if strings.HasPrefix(before, "#") && t.lang != "c" || strings.HasPrefix(before, "//") {
			before = ""
		}
	}
	switch t.lang {
	case Shell, Make:
		if continuesCommand.MatchString(before) && !opensCommand.MatchString(before) {
			return ""
		}
	case "python", "ruby":
		if continuesPython.MatchString(before) {
			return ""
		}
	default:
		if !endsStatement.MatchString(before) {
			return ""
		}
	}
	return t.lines[n][:strings.Index(t.lines[n], code)] + statement
}

// certain reports whether a script that comes to its end has been at a line: it stands in no
// block, branch, text or comment, and nothing before it may end the script.
func (t *text) certain(n int) bool {
	line, before := t.lines[n], strings.Join(t.lines[:n], "\n")
	decides := decidesIf.MatchString(line) && !hasOr.MatchString(line) && !hasAnd.MatchString(line)
	if t.readers[n] != readByNone || n >= t.ends || branchesHere.MatchString(line) && !decides {
		return false
	}
	open := strings.Count(before, `"""`)%2 + strings.Count(before, "'''")%2 + strings.Count(before, "/*") - strings.Count(before, "*/")
	if t.lang == "js" {
		open += strings.Count(before, "`") % 2
	}
	return open == 0 && endsByItself(t.lang) && strings.TrimLeft(line, " \t") == line
}
