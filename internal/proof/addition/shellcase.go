package addition

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// A case of a shell is a call below one of the same form: check title "$(title 'a b')" "A B". It has
// what the product gives, by one command with literals, and a literal with which the function of the
// base, or test, compares. What stands behind an operator is as it is there (|| exit 1).
var (
	caseHead  = lazyregexp.New(`^[ \t]*([A-Za-z_]\w*|\[)`)
	caseWord  = lazyregexp.New(`^[ \t]+(?:"\$\(([\w./-]+)((?:[ \t]+(?:[\w.,:@%+/=-]+|'[^']*'|"[^"$` + "`" + `\\]*"))*)\)"|([\w.,:@%+/=-]+|!=|\])|'[^']*'|"[^"$` + "`" + `\\]*")`)
	caseTail  = lazyregexp.New(`^[ \t]*(?:\|\|[ \t]*[\w$][^#|&;\\{}()<>]*)?$`)
	caseTests = []string{"[", "test"}
)

// mayChange are commands that could change files that judge, end processes, or run any code.
var mayChange = []string{
	"cp", "mv", "rm", "rmdir", "ln", "sed", "tee", "dd", "touch", "chmod", "chown", "mkdir", "install", "truncate", "patch", "tar", "unzip", "rsync", "kill", "pkill", "killall",
	"trap", "exec", "eval", "source", ".", "export", "set", "unset", "alias", "command", "builtin", "git", "find", "xargs", "env", "nohup", "setsid", "timeout", "sh", "bash", "dash", "zsh", "ksh",
	"python", "python3", "perl", "ruby", "node", "awk", "gawk", "make", "curl", "wget",
}

// shellCase is one such call: its command, the form of each of its words, and its end.
type shellCase struct {
	name  string
	forms []string
	tail  string
}

// caseOf reads the line of a call.
func caseOf(line string) (c shellCase, ok bool) {
	head := caseHead.FindStringSubmatch(line)
	if head == nil {
		return c, false
	}
	c.name = head[1]
	gives, literals := 0, 0
	rest := line[len(head[0]):]
	for {
		m := caseWord.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		rest = rest[len(m[0]):]
		switch plain := m[3]; {
		case m[1] != "":
			if slices.Contains(mayChange, path.Base(m[1])) {
				return c, false
			}
			gives++
			c.forms = append(c.forms, "$()")
		case plain != "" && (strings.HasPrefix(plain, "-") || slices.Contains(caseTests, c.name)):
			c.forms = append(c.forms, plain)
		default:
			literals++
			c.forms = append(c.forms, "literal")
		}
	}
	c.tail = strings.TrimSpace(rest)
	return c, gives == 1 && literals > 0 && caseTail.MatchString(rest)
}

// addsCase reports whether a line of a shell is one more case below another one. A line of the base
// that looks at the exit code of the other one is j or follows it.
func (a *addition) addsCase(line, above string, j int) bool {
	if a.lang != "shell" {
		return false
	}
	for n := j; n < len(a.base); n++ {
		if below := strings.TrimSpace(a.base[n]); below != "" && below[0] != '#' {
			if strings.Contains(below, "$?") {
				return false
			}
			break
		}
	}
	c, ok := caseOf(line)
	like, known := caseOf(above)
	if !ok || !known || c.name != like.name || c.tail != like.tail || !slices.Equal(c.forms, like.forms) || indentOf(line) != indentOf(above) {
		return false
	}
	compares := slices.Contains(caseTests, c.name)
	if !compares {
		defined := regexp.MustCompile(`^\s*(?:function\s+)?` + c.name + `\s*\(\)`)
		compares = slices.ContainsFunc(a.base, defined.MatchString)
	}
	return compares && a.inLines()
}

// inLines reports whether each line of the base is read for sure: none begins within a text, and
// there are no documents.
func (a *addition) inLines() bool {
	return !slices.ContainsFunc(a.base, func(line string) bool { return strings.Contains(line, "<<") || staysOpen(line) })
}

// staysOpen reports whether a text begins in a line of a shell and does not end there.
func staysOpen(line string) bool {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return false
		}
	}
	return quote != 0
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }
