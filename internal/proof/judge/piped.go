package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
	"ralph/internal/text/shell"
)

// isExamined reports whether one of some commands runs the work that others examine. A program
// that reads what one of the tree gave, by a pipe or from a file, brings it into another form
// for them: it judges.
func (n *naming) isExamined(all []shell.Command, i int) bool {
	first := i
	for first > 0 && all[first-1].Piped {
		first--
	}
	for k, c := range all[:i] {
		to := writtenTo(c)
		feeds := k >= first || to != "" && slices.ContainsFunc(all[first:i+1], func(c shell.Command) bool {
			return slices.ContainsFunc(c.Words, func(w string) bool { return strings.TrimPrefix(w, "<") == to })
		})
		if feeds && n.runsOfTree(c) {
			return false
		}
	}
	return n.lookedAt(all[i:])
}

// runsOfTree reports whether a command runs a program of the tree, or one that is built of it.
func (n *naming) runsOfTree(c shell.Command) bool {
	_, here := n.Before[path.Join(n.dir, c.Dir, c.Words[Script(c.Words)])]
	m := runsModule.FindStringSubmatch(strings.Join(c.Words, " "))
	return here || strings.Contains(c.Words[0], "/") && !path.IsAbs(c.Words[0]) || m != nil && (m[1] == "" || n.OwnModules()[m[1]])
}

// writtenTo is the file into which a command writes its output; "" is none.
func writtenTo(c shell.Command) string {
	at := slices.IndexFunc(c.Words, func(w string) bool { return strings.HasPrefix(w, ">") })
	if at < 0 {
		return ""
	}
	return strings.TrimLeft(strings.Join(c.Words[at:min(at+2, len(c.Words))], ""), ">")
}

// lookedAt reports whether what the first of some commands prints is compared with
// something: in "python3 tax.py 150 | grep -qx 29" and "./tax >out && cmp out want" the
// program is the work. What says itself that it is right, as in "| grep OK", judges.
func (n *naming) lookedAt(all []shell.Command) bool {
	if all[0].Piped && len(all) > 1 {
		return n.examines(all[1:])
	}
	if name := all[0].Words[0]; name == "." || name == "source" { // its functions are called in "test "$(tax 150)" = 29"
		return slices.ContainsFunc(all[1:], func(c shell.Command) bool {
			return (c.Words[0] == "test" || c.Words[0] == "[") && strings.ContainsAny(strings.Join(c.Words, " "), "$`")
		})
	}
	to := writtenTo(all[0])
	for i, c := range all[1:] {
		if to != "" && slices.Contains(c.Words, to) && n.examines(all[1+i:]) {
			return true
		}
	}
	return false
}

// examines reports whether the first of some commands compares what it reads, or hands it through
// filters to one that does. A pipe that ends in a filter compares nothing.
func (n *naming) examines(all []shell.Command) bool {
	switch n.readerOf(all[0]) {
	case comparing:
		return true
	case filtering:
		return all[0].Piped && len(all) > 1 && n.examines(all[1:])
	}
	return false
}

// reader is what a command does with what it reads. One that is neither of the two may look for
// what a program says about itself.
type reader int

const (
	comparing reader = iota + 1
	filtering
)

// filters hand on what they read in another form, and are green whatever it is.
var filters = []string{
	"wc", "sort", "uniq", "head", "tail", "tr", "cut", "cat", "tee", "xxd", "od", "hexdump", "base64", "column", "nl", "rev", "tac", "fold", "fmt", "paste",
	"expand", "unexpand", "iconv", "dos2unix", "sum", "cksum", "md5sum", "b2sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "shasum",
}

// readerOf is what a command does with what it reads, as far as it is known.
func (n *naming) readerOf(c shell.Command) reader {
	name, args := path.Base(c.Words[0]), c.Words[1:]
	says := slices.ContainsFunc(args, success.MatchString)
	has := func(options ...string) bool {
		return slices.ContainsFunc(args, func(w string) bool { return slices.Contains(options, w) })
	}
	switch {
	case name == "cmp" || name == "diff" || strings.HasSuffix(name, "sum") && has("-c", "--check"):
		return comparing
	case slices.Contains(filters, name) || name == "sed" && !says:
		return filtering
	case slices.Contains([]string{"grep", "egrep", "fgrep", "rg"}, name):
		return unless(says, comparing)
	case name == "jq" && (has("--exit-status") || slices.ContainsFunc(args, jqDecides.MatchString)):
		return unless(says, comparing)
	case name == "jq":
		return unless(says, filtering)
	case name == "xargs":
		return unless(says || !has("test", "["), comparing)
	}
	if lang, code := n.codeOf(c); code != "" {
		return n.readerByCode(lang, code)
	}
	return 0
}

func unless(not bool, r reader) reader {
	if not {
		return 0
	}
	return r
}

// codeOf is the program that a command of an interpreter or a script of the base runs; "" where it
// is unknown.
func (n *naming) codeOf(c shell.Command) (lang, code string) {
	name, at := path.Base(c.Words[0]), Script(c.Words)
	awk := name == "awk" || name == "gawk" || name == "mawk"
	for i := 1; i < len(c.Words); i++ {
		w := c.Words[i]
		switch {
		case awk && w == "-f" && i+1 < len(c.Words):
			lang, at = "awk", i+1
		case awk && (w == "-F" || w == "-v"):
			i++
			continue
		case awk && !strings.HasPrefix(w, "-"):
			return "awk", w
		case startsInline(c.Words[0], w) && i+1 < len(c.Words):
			return "", c.Words[i+1]
		default:
			continue
		}
		break
	}
	if at == 0 && !strings.Contains(c.Words[0], "/") {
		return "", ""
	}
	f, here := n.Before[path.Join(n.dir, c.Dir, c.Words[at])]
	if !here || !proof.IsFile(f) {
		return "", ""
	}
	data, err := n.Content(f.ID)
	if err != nil || len(data) > longestScript {
		return "", ""
	}
	text := string(data)
	if lang = proof.SourceLanguage(f.Path, text); isShell(name) {
		lang = "shell"
	}
	return lang, text
}

// readerByCode is what a program does with what it reads: it compares where it can fail, compares, and
// has a value of its own to compare with.
func (n *naming) readerByCode(lang, code string) reader {
	if lang == "shell" {
		return n.readerByCommands(code)
	}
	code = message.ReplaceAllString(message.ReplaceAllString(longText.ReplaceAllString(syntax.WithoutComments(lang, code), ""), "$1"), "$1")
	code = assertMessage.ReplaceAllString(syntax.WithoutImports(code, nil), "$1")
	literals := codeLiteral.FindAllString(code, -1)
	says := slices.ContainsFunc(literals, func(l string) bool { return success.MatchString(strings.Trim(l, "\"'`/ (,=~!{;&|")) })
	switch {
	case says || saysItself.MatchString(code):
		return 0
	case !canFail.MatchString(code):
		return filtering
	case compareLike.MatchString(code) && (len(literals) > 0 || ownNumber.MatchString(code)):
		return comparing
	}
	return 0
}

// readerByCommands is the same for a script of a shell.
func (n *naming) readerByCommands(script string) (found reader) {
	for _, c := range (gateText{text: script}).allCommands() {
		switch name := c.Words[0]; name {
		case "test", "[", "[[":
			at := slices.IndexFunc(c.Words, func(w string) bool { return slices.Contains([]string{"=", "==", "!=", "=~", "-eq", "-ne"}, w) })
			if at < 2 || at+1 >= len(c.Words) || c.Words[at+1] == "" || strings.ContainsAny(c.Words[at+1], "$`") {
				continue
			}
			if success.MatchString(c.Words[at+1]) {
				return 0
			}
			found = comparing
		default:
			if slices.Contains([]string{"grep", "egrep", "fgrep", "rg", "cmp", "diff"}, path.Base(name)) {
				if found = n.readerOf(c); found == 0 {
					return 0
				}
			}
		}
	}
	return found
}

const textLiteral = `(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`]*`)"

var (
	// success matches a word by which a program says itself that all is well.
	success = lazyregexp.New(`(?i)\b(?:ok|pass\w*|success\w*|fail\w*|errors?|done|all|no|none|yes|good|right|correct|clean|complete\w*|finished|valid|green|true)\b|[✓✔]|^\W*0\b`)
	// jqDecides matches short options of jq by which its exit code tells of the value.
	jqDecides = lazyregexp.New(`^-[a-zA-Z]*e`)
	// longText matches a text of several lines in Python.
	longText = lazyregexp.New(`(?s)"""(.*?)"""|'''(.*?)'''`)
	// message matches a text that a program only prints, its group what stands before; assertMessage that
	// of an assertion in Python.
	message       = lazyregexp.New(`(?i)(\b(?:print\w*|console\.\w+|puts|warn|echo|say|write\w*|exit|die|fail|\w*Error|\w*Exception|quit)\s*\(?\s*)[frb]?` + textLiteral + `(?:\s*[,);}%+\n]|\s+(?:if|unless)\b|\s*$)`)
	assertMessage = lazyregexp.New(`(?m)(\bassert\s[^\n]*),\s*[fr]?` + textLiteral + `\s*$`)
	// codeLiteral matches a text or a regular expression.
	codeLiteral = lazyregexp.New(textLiteral + `|(?:^|[\s(,=~!{;&|])/(?:[^/\\\n]|\\.)+/`)
	// saysItself matches a look at what a program says about itself, by a member or as a number of failures.
	saysItself = lazyregexp.New(`(?i)\.\s*(?:ok|\w*pass(?:ed|es)?|\w*success\w*|\w*fail(?:ed|ures?|ing)?\w*|errors?|valid)(?:[^\w(]|$)|(?:[=!]==?|[<>]=?)\s*0\b|\b0\s*(?:[=!]=|[<>])`)
	canFail    = lazyregexp.New(`\b(?:exit\w*|assert\w*|raise|throw|die|abort|expect)\b`)
	// compareLike matches an operator, a call or a regular expression that compares.
	compareLike = lazyregexp.New(`[=!]=|=~|!~|[<>]|\b(?:in|eq|ne|is|match\w*|\w*[eE]qual\w*|includes|startsWith|startswith|compare|assert\w*)\b|\.test\(|[\s(!]/[^/\n]+/`)
	// ownNumber matches a number that is more than a flag.
	ownNumber = lazyregexp.New(`\b(?:[2-9]|\d{2,}|\d+\.\d+)\b`)
)
