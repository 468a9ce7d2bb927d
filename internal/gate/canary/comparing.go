package canary

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// A gate that has only an exit code names no tests, so that none can be put beside them. What its
// scripts and programs compare with gets another value instead, and the gate must fail. Only
// lines count in which a comparison decides, as far as their form tells: they assert, or a failure
// stands behind it. What is compared with the machine or the arguments of a script stays.

// Change is a line whose comparison can be changed.
type Change struct {
	// Line counts from 1.
	Line int
	// Subject is the function or program that is asked there; "" where that is not known.
	Subject string
}

// Otherwise changes the values with which a script or program of a gate compares what the product
// gives, as far as of agrees. commands: the text is one of a shell.
func Otherwise(text string, commands bool, of func(Change) bool) string {
	lines := strings.Split(text, "\n")
	out := slices.Clone(lines)
	last := len(strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")) - 1
	stops := commands && stopsAtFailure.MatchString(text)
	table := !commands && comparesRows.MatchString(text)
	for n, line := range lines {
		code := strings.TrimSpace(line)
		if strings.HasPrefix(code, "#") || strings.HasPrefix(code, "//") || ofTheMachine.MatchString(code) || declares.MatchString(code) {
			continue
		}
		below := endsWell.ReplaceAllString(strings.Join(lines[n:min(len(lines), n+conditionLines)], "\n"), "")
		if commands {
			line = inCommand(line, below, stops, n == last || strings.HasPrefix(line, "\t"))
		}
		if line == lines[n] {
			line = inProgram(line, below)
		}
		if table && line == lines[n] && !startsProgram.MatchString(line) {
			line = replaceGroup(literalRow, line, 1)
		}
		if line != lines[n] && of(Change{n + 1, subject(code)}) {
			out[n] = line
		}
	}
	return strings.Join(out, "\n")
}

var (
	asked    = lazyregexp.New(`\$\(+\s*(?:(?:sh|bash|python3?|node|ruby|exec|env|timeout\s+\d+)\s+(?:-\w+\s+)*)*([\w./-]+)|([A-Za-z_]\w*)!?\(`)
	noAnswer = lazyregexp.New(`^(?i:assert|check|expect|verify|ensure|print|tobe|toequal|tostrict|equal|deep|strict|eq)|^(?:len|str|int|float|list|sorted|tuple|dict|set|repr|round|exit|SystemExit|if|for|while|return|not|strcmp|strncmp|String|Number|JSON|stringify|string|bool|echo|cat|printf|to_string|c_str|format)$`)
)

// subject is the function or program that a line asks.
func subject(line string) string {
	for _, m := range asked.FindAllStringSubmatch(line, -1) {
		if name := m[1] + m[2]; !noAnswer.MatchString(name) {
			return name
		}
	}
	return ""
}

// OtherLine changes the last line of a file of data with which commands compare.
func OtherLine(text string) (changed string, ok bool) {
	end := len(strings.TrimRight(text, " \t\r\n"))
	begin := strings.LastIndexByte(text[:end], '\n') + 1
	if begin == end || strings.ContainsRune(text, 0) {
		return text, false
	}
	other := otherValue(`"` + text[begin:end] + `"`)
	if other == "" {
		return text, false
	}
	return text[:begin] + other[1:len(other)-1] + text[end:], true
}

// conditionLines is within how many lines the failure stands behind the comparison that decides
// about it.
const conditionLines = 5

// inWords is a literal: a number, or a text that holds no variable.
const inWords = `(-?\d[\d_]*(?:\.\d+)?\b|"[^"\\$` + "`" + `\n]+"|'[^'\\\n]+')`

var (
	// ofTheMachine matches what tells of the machine, of the arguments of a script, or of how a
	// command ended.
	ofTheMachine = lazyregexp.New(`\b(?:argv|argc|__name__|hostname|whoami|uname|GOOS|GOARCH|CI|rc|status|platform|environ|getenv|version|returncode|exit_?[cC]ode)\b|--version|os\.name|\$[#?@*0-9]|\$\{[#?@*0-9]|\$\(id\b`)
	// declares matches the beginning of a function.
	declares = lazyregexp.New(`^(?:export\s+)?(?:async\s+)?(?:def|fn|func|function|static|void|int|class)\b[^=]*\(|^\w+\s*\(\)`)
	// startsProgram matches a line that starts another program.
	startsProgram = lazyregexp.New(`subprocess|\brun\(|\bexec\w*\(|\bspawn\w*\(|\bsystem\(|\bpopen\(|check_output`)
	// stopsAtFailure matches a script of a shell that ends at the first command that fails.
	stopsAtFailure = lazyregexp.New(`(?m)^\s*set\s+(?:-\w+\s+)*-\w*e|\berrexit\b|^#!.*sh\s+-\w*e`)
	// endsWell matches the end of a program that passes, and failsHere what lets the gate fail.
	endsWell  = lazyregexp.New(`\bexit\s*\(?\s*0\b|\breturn 0\b`)
	failsHere = lazyregexp.New(`(?i)\b_?exit\b|exitcode|\braise\b|\bthrow\b|panic|abort|\bdie\b|fail|\berr(?:or)?s?\b|\bbad\b|\breturn\s+(?:[1-9]|-1|false)\b|fatal|\bfalse\b|wrong|mismatch`)
	elseFails = lazyregexp.New(`(?is)\belse\b.*(?:\b_?exit\b|exitcode|\braise\b|\bthrow\b|panic|abort|\bdie\b|fail|\berrors?\b|\breturn\s+(?:[1-9]|-1|false)\b|fatal|\bfalse\b|\bbad\b)`)
	// asserts matches what stands before a condition that must hold, resultIn a line whose
	// condition is the result.
	asserts  = lazyregexp.New(`(?i)\b(?:assert|check|expect|verify|ensure|require|must)\w*!?[\s(]`)
	resultIn = lazyregexp.New(`(?i)\b_?exit\s*\(|SystemExit|\breturn\b[^;]*(?:\?|!=)|\b(?:ok|pass(?:ed)?|good|fail\w*|errors?|bad)\b\s*(?:[|&+]|\|\||&&)?=[^=]`)
	branches = lazyregexp.New(`\b(?:if|elif|unless|while|until|when)\b`)
	// compared matches a comparison with a literal of a program, comparedFirst one that begins
	// with it; inTest and inTestFirst those of a test of a shell, whose literal may be a word.
	compared      = lazyregexp.New(`(?:[^=!<>])(===?|!==?)\s*` + inWords)
	comparedFirst = lazyregexp.New(inWords + `\s*(===?|!==?)\s*[A-Za-z_$]`)
	inTest        = lazyregexp.New(`(?:\[\[?|\btest)\s[^\n]*?[$` + "`" + `][^\n]*?\s(==?|!=|-eq|-ne)\s+(?:` + inWords + `|([\w.:,+-]+))(?:\s+\]|\s*(?:[;&|]|$))`)
	inTestFirst   = lazyregexp.New(`(?:\[\[?|\btest)\s+(?:` + inWords + `|([\w.:,+-]+))\s+(==?|!=|-eq|-ne)\s+"?[$` + "`" + `][^\n]*`)
	// searched matches a search for a literal that says nothing but whether it is there.
	searched = lazyregexp.New(`\bgrep\s+(?:-[qxFEiws]+\s+)*-[xFEiws]*q[xFEiws]*\s+(?:-[qxFEiws]+\s+)*(?:-e\s+|--\s+)?(?:` + inWords + `|([\w.:=]+))`)
	// comparesRows matches a program that compares with a field of the rows of a table, and
	// literalRow such a row, whose last literal is its group.
	comparesRows = lazyregexp.New(`[=!]==?\s*(?:\w+\.)?(?:want|wanted|expected|expect|exp)\b|\b(?:want|wanted|expected|expect|exp)\s*[=!]==?|(?i:assert|check|equal)\w*\([^\n]*\b(?:want|wanted|expected|expect|exp)\b`)
	literalRow   = lazyregexp.New(`[\[({]\s*(?:(?:\w+\s*:\s*)?` + inWordsApart + `\s*[,:]\s*)+(?:\w+\s*:\s*)?` + inWords + `\s*,?\s*[\])}]`)
)

// inWordsApart is inWords without a group.
const inWordsApart = `(?:-?\d[\d_]*(?:\.\d+)?\b|"[^"\\$` + "`" + `\n]+"|'[^'\\\n]+')`

// inProgram changes the comparisons of a line of a program. below is that line with those behind it.
func inProgram(line, below string) string {
	for _, form := range []struct {
		of           *lazyregexp.Regexp
		how, literal int
	}{{compared, 1, 2}, {comparedFirst, 2, 1}} {
		for _, m := range slices.Backward(form.of.FindAllStringSubmatchIndex(line, -1)) {
			before, equal := line[:m[0]], line[m[2*form.how]] == '='
			switch branch := branches.MatchString(before); {
			case resultIn.MatchString(line):
			case equal && !branch && asserts.MatchString(before):
			case equal && branch && elseFails.MatchString(below):
			case !equal && branch && failsHere.MatchString(below):
			default:
				continue
			}
			line = otherAt(line, m, form.literal)
		}
	}
	return inCalls(line)
}

// inCommand changes the comparisons of a line of a shell. stops: a command that fails ends the
// script. result: the result of the line is that of the script, or of a goal of make.
func inCommand(line, below string, stops, result bool) string {
	for _, form := range []struct {
		of                 *lazyregexp.Regexp
		how, literal, word int
	}{{inTest, 1, 2, 3}, {inTestFirst, 3, 1, 2}, {searched, 0, 1, 2}} {
		m := form.of.FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		before, rest := line[:m[0]], endsWell.ReplaceAllString(line[m[1]-1:], "")
		how := line[m[2*form.how]:m[2*form.how+1]]
		equal := form.how == 0 || how[0] == '=' || how == "-eq"
		switch branch := branches.MatchString(before); {
		case strings.HasSuffix(strings.TrimSpace(before), "!"):
			continue
		case equal && branch && elseFails.MatchString(below):
		case equal && !branch && strings.Contains(rest, "||") && failsHere.MatchString(rest):
		case equal && !branch && !strings.Contains(rest, "||") && (result || stops && !strings.Contains(rest, "&&")):
		case !equal && (branch || strings.Contains(rest, "&&")) && failsHere.MatchString(below):
		default:
			continue
		}
		group := form.literal
		if m[2*group] < 0 {
			group = form.word
		}
		return otherAt(line, m, group)
	}
	return inChecks(line)
}

// otherAt puts another literal in the place of a group of a match. What means yes, no or
// nothing stays.
func otherAt(line string, m []int, group int) string {
	begin, end := m[2*group], m[2*group+1]
	literal := line[begin:end]
	quoted := literal
	if bare := strings.Trim(literal, `"'`); bare == "0" || bare == "1" || bare == "-1" {
		return line
	}
	if c := literal[0]; c != '"' && c != '\'' && !isNumber.MatchString(literal) {
		quoted = `"` + literal + `"`
	}
	other := otherValue(quoted)
	if other == "" {
		return line
	}
	if quoted != literal {
		other = strings.Trim(other, `"`)
	}
	return line[:begin] + other + line[end:]
}

var isNumber = lazyregexp.New(`^-?\d[\d_]*(?:\.\d+)?$`)

// replaceGroup changes a literal in each match of a line.
func replaceGroup(of *lazyregexp.Regexp, line string, group int) string {
	for _, m := range slices.Backward(of.FindAllStringSubmatchIndex(line, -1)) {
		line = otherAt(line, m, group)
	}
	return line
}
