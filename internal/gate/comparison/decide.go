package comparison

import (
	"crypto/rand"
	"slices"
	"strings"

	"ralph/internal/gate/canary"
	"ralph/internal/lazyregexp"
)

// conditionLines is within how many lines the failure stands behind the comparison that decides
// about it.
const conditionLines = 5

// inWords is a literal: a number, or a text that holds no variable.
const inWords = `(-?\d[\d_]*(?:\.\d+)?\b|"[^"\\$` + "`" + `\n]+"|'[^'\\\n]+')`

var (
	// ofTheMachine matches what tells of the machine, of the arguments of a script, or of how a
	// command ended.
	ofTheMachine = lazyregexp.New(`\b(?:argv|argc|__name__|hostname|whoami|uname|GOOS|GOARCH|CI|rc|status|platform|environ|getenv|version_info|returncode|exit_?[cC]ode)\b|--version|sys\.version|process\.version|os\.name|\$[#?@*0-9]|\$\{[#?@*0-9]|\$\(id\b`)
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
	branches = lazyregexp.New(`\b(?:if|elif|unless|when)\b`)
	repeats  = lazyregexp.New(`\b(?:while|until)\b`)
	// hasOr and hasAnd match conditions of which another part may decide.
	hasOr     = lazyregexp.New(`\|\||\bor\b`)
	hasAnd    = lazyregexp.New(`&&|\band\b`)
	otherTest = lazyregexp.New(`\|\|\s*(?:!\s*)?(?:\[|test\b|grep\b|\w+\s+-)`)
	// compared matches a comparison with a literal of a program, comparedFirst one that begins
	// with it; inTest and inTestFirst those of a test of a shell, whose literal may be a word.
	compared      = lazyregexp.New(`(?:[^=!<>])(===?|!==?)\s*` + inWords)
	comparedFirst = lazyregexp.New(inWords + `\s*(===?|!==?)\s*[A-Za-z_$]`)
	inTest        = lazyregexp.New(`(?:\[\[?|\btest)\s[^\]\n]*?[$` + "`" + `][^\]\n]*?\s(==?|!=|-eq|-ne)\s+(?:` + inWords + `|([\w.:,+-]+))(?:\s+\]|\s*(?:[;&|]|$))`)
	inTestFirst   = lazyregexp.New(`(?:\[\[?|\btest)\s+(?:` + inWords + `|([\w.:,+-]+))\s+(==?|!=|-eq|-ne)\s+"?[$` + "`" + `][^\n]*`)
	// inBlock matches what stands before a test that only some runs get to; isPattern a search for
	// more than a text.
	inBlock    = lazyregexp.New(`\bcase\b|(?:&&|\|\|).*[{(]\s*$`)
	wholeLines = lazyregexp.New(`\bgrep\s(?:.*\s)?-[a-zA-Z]*x`)
	isPattern  = lazyregexp.New(`\bgrep\b.*[\[*+?({|\\]`)
	// searched matches a search for a literal that says nothing but whether it is there.
	searched = lazyregexp.New(`\bgrep\s+(?:-[qxFEiws]+\s+)*-[xFEiws]*q[xFEiws]*\s+(?:-[qxFEiws]+\s+)*(?:-e\s+|--\s+)?(?:` + inWords + `|([\w.:=]+))`)
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
			case repeats.MatchString(before), equal && hasOr.MatchString(line), !equal && hasAnd.MatchString(line):
				continue
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
		case strings.HasSuffix(strings.TrimSpace(before), "!"), repeats.MatchString(before), inBlock.MatchString(before), equal && (strings.Contains(before, "||") || otherTest.MatchString(rest)):
			continue
		case form.how == 0 && isPattern.MatchString(line[m[0]:m[1]]):
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
		if form.how == 0 && !wholeLines.MatchString(line[m[0]:m[1]]) { // a part may stand anywhere
			literal := line[m[2*group]:m[2*group+1]]
			quote := literal[:1]
			if quote != `"` && quote != "'" {
				quote = ""
			}
			return line[:m[2*group]] + quote + "ralph" + rand.Text()[:12] + quote + line[m[2*group+1]:]
		}
		return otherAt(line, m, group)
	}
	return inChecks(line)
}

// otherAt puts another literal in the place of a group of a match; 0, 1 and -1 stay.
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
	other := canary.OtherValue(quoted)
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
