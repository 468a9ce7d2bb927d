package testout

import (
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	pytestSummary = lazyregexp.New(`^=* ?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests passed)(?:, )?)+|no tests ran) in [\d.]+ ?s\b`)
	pytestCount   = lazyregexp.New(`(\d+) (failed|passed|skipped|xfailed|xpassed|errors?)\b`)
	pytestNamed   = lazyregexp.New(`^(FAILED|ERROR|XFAIL) (\S.*?)(?: - (.*))?$`)
	pytestPassed  = lazyregexp.New(`^(PASSED|XPASS) (\S.*)$`)
	pytestHeader  = lazyregexp.New(`^=+ short test summary info =+$`)
	pytestSection = lazyregexp.New(`^_{3,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(.+?) _{3,}$`)
	pytestConf    = lazyregexp.New(`^(ImportError while loading conftest|INTERNALERROR>|ERROR: file or directory not found)`)
)

// pytest reads its text: the closing summary, the FAILED and ERROR lines of
// the short summary, and the "E" lines of the sections above it.
type pytest struct {
	seen     bool
	r        Report
	named    []Failure
	cases    []Case
	sections map[string]*firstError
	section  string
	broken   string
}

func (p *pytest) line(s string) {
	if p.section != "" && strings.HasPrefix(s, "E ") {
		into(&p.sections, p.section).add(s)
		return
	}
	if !startsWith(s, "=", "_", "FAILED ", "PASSED ", "XPASS ", "XFAIL ", "ERROR", "ImportError", "INTERNALERROR", "no tests") && (s[0] < '0' || s[0] > '9' || !strings.Contains(s, " in ")) {
		return
	}
	if m := pytestSummary.FindStringSubmatch(s); m != nil {
		p.end(m[1])
		return
	}
	if m := pytestSection.FindStringSubmatch(s); m != nil {
		p.section = m[1]
		return
	}
	if pytestHeader.MatchString(s) {
		// What came before was printed by tests, or repeats.
		p.named, p.cases, p.section = nil, nil, ""
		return
	}
	if m := pytestPassed.FindStringSubmatch(s); m != nil && pytestID(m[2]) {
		p.test(m[2], Passed)
		return
	}
	if m := pytestNamed.FindStringSubmatch(s); m != nil && pytestID(m[2]) {
		p.notPassed(m[1], Failure{m[2], m[3]})
		return
	}
	if pytestConf.MatchString(s) && p.broken == "" {
		p.broken = s
	}
}

func (p *pytest) notPassed(how string, f Failure) {
	p.section = ""
	if how == "XFAIL" {
		p.test(f.ID, Skipped)
		return
	}
	p.test(f.ID, Failed)
	if len(p.named) < maxFailures {
		p.named = append(p.named, f)
	}
}

func (p *pytest) test(id string, o Outcome) {
	if len(p.cases) <= MaxCases {
		p.cases = append(p.cases, Case{ID: clip(id), Outcome: o})
	}
}

func pytestID(s string) bool { return strings.Contains(s, ".py") || strings.Contains(s, "::") }

func (p *pytest) end(counts string) {
	p.seen = true
	for _, m := range pytestCount.FindAllStringSubmatch(counts, -1) {
		n := number(m[1])
		switch m[2] {
		case "passed", "xpassed":
			p.r.Run += n
		case "skipped", "xfailed":
			p.r.Skipped += n
		default:
			p.r.Run += n
			p.r.Failed += n
		}
	}
	p.names()
}

// names takes the failures of the short summary, or where it was switched off
// those that have a section.
func (p *pytest) names() {
	for _, f := range p.named {
		p.r.note(f.ID, p.why(f))
		// A file, not a test: it could not be collected.
		if !strings.Contains(f.ID, "::") {
			p.r.unloaded(f.ID)
		}
	}
	for _, c := range p.cases {
		if strings.Contains(c.ID, "::") {
			p.r.record(c.ID, c.Outcome)
		}
	}
	if len(p.named) == 0 {
		for name, f := range p.sections {
			p.r.note(name, f.String())
		}
	}
	p.named, p.cases, p.sections, p.section = nil, nil, nil, ""
}

// why prefers the section's "E" lines: the summary is cut to the terminal.
func (p *pytest) why(f Failure) string {
	_, test, ok := strings.Cut(f.ID, "::")
	if !ok {
		test = f.ID
	}
	if s := p.sections[strings.ReplaceAll(test, "::", ".")]; s != nil && s.String() != "" {
		return s.String()
	}
	return f.Line
}

func (p *pytest) report() (Report, bool) {
	r := p.r
	if p.broken != "" && !p.seen {
		r.broke("pytest", p.broken)
		return r, true
	}
	if len(p.named) > 0 {
		r.Incomplete = "the summary of pytest is missing"
	}
	return r, p.seen
}

var (
	unittestTest  = lazyregexp.New(`^(\w+) \((\w[\w.<>]*)\)(?: \.\.\.(?: (.*))?)?$`)
	unittestSub   = lazyregexp.New(`^  \w+ \(.+\).* \.\.\. (FAIL|ERROR)$`)
	unittestHow   = lazyregexp.New(`(?:^|\.\.\. )(ok|FAIL|ERROR|skipped (?:'.*'|".*")|expected failure|unexpected success)$`)
	unittestRan   = lazyregexp.New(`^Ran (\d+) tests? in [\d.]+s`)
	unittestEnd   = lazyregexp.New(`^(OK|FAILED|NO TESTS RAN)\b(?: \((.*)\))?$`)
	unittestCount = lazyregexp.New(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
	unittestNamed = lazyregexp.New(`^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+)(?: \((.+?)\))?`)
	bar           = lazyregexp.New(`^(={20,}|-{20,})$`)
)

// unittest reads the output of Python's unittest.
type unittest struct {
	seen   bool
	ran    int
	open   bool // "Ran N tests" without the verdict below it
	r      Report
	id     string
	bars   int
	first  firstError
	after  bool // a bar of "=" was just seen
	failed []Failure

	// With -v: the tests that were listed, the last of them, and whether it is
	// one whose outcome is still to come.
	cases   []Case
	pending string
	subFail bool
}

func (u *unittest) line(s string) {
	u.list(s)
	if !startsWith(s, "==========", "----------", "FAIL", "ERROR", "UNEXPECTED", "Ran ", "OK", "NO TESTS") {
		u.text(s)
		return
	}
	if bar.MatchString(s) {
		u.onBar(s[0] == '=')
		return
	}
	if m := unittestNamed.FindStringSubmatch(s); m != nil && u.after {
		u.id, u.bars, u.after = unittestID(m[2], m[3]), 0, false
		return
	}
	if m := unittestRan.FindStringSubmatch(s); m != nil {
		u.close()
		u.seen, u.open, u.ran = true, true, number(m[1])
		return
	}
	if m := unittestEnd.FindStringSubmatch(s); m != nil && u.open {
		u.end(m[1], m[2])
		return
	}
	u.text(s)
}

func (u *unittest) text(s string) {
	if u.id != "" && !strings.HasPrefix(s, " ") {
		u.first.add(s)
	}
}

// unittestID: up to Python 3.10 the text in brackets lacks the method's name.
func unittestID(name, where string) string {
	switch {
	case where == "":
		return name
	case strings.HasSuffix(where, "."+name):
		return where
	}
	return where + "." + name
}

// onBar: "=" opens a failure, the first "-" ends its title, the next it.
func (u *unittest) onBar(opens bool) {
	u.bars++
	u.after = opens
	if opens || u.bars > 1 {
		u.close()
	}
}

func (u *unittest) close() {
	again := len(u.failed) > 0 && u.failed[len(u.failed)-1].ID == u.id // another of its subtests
	if u.id != "" && !again && len(u.failed) < maxFailures {
		u.failed = append(u.failed, Failure{u.id, u.first.String()})
	}
	u.id, u.first = "", firstError{}
}

func (u *unittest) end(verdict, counts string) {
	u.open = false
	skipped, failed := 0, 0
	for _, m := range unittestCount.FindAllStringSubmatch(counts, -1) {
		switch m[1] {
		case "skipped", "expected failures":
			skipped += number(m[2])
		default:
			failed += number(m[2])
		}
	}
	if verdict == "FAILED" {
		failed = max(failed, 1)
	}
	for _, f := range u.failed {
		u.r.note(f.ID, f.Line)
	}
	if len(u.cases) == u.ran {
		failed, skipped = u.record()
	}
	u.r.Run += max(u.ran-skipped, failed)
	u.r.Failed += failed
	u.r.Skipped += skipped
	for _, f := range u.failed {
		if strings.Contains(f.ID, failedModule) {
			u.r.unloaded(f.ID[strings.LastIndexByte(f.ID, '.')+1:])
		}
	}
	u.failed, u.cases, u.pending = nil, nil, ""
}

// failedModule is in the id of the test that stands for a module that cannot be
// imported.
const failedModule = "_FailedTest."

// record counts the tests by their names: in the closing counts each failed
// subtest is one more.
func (u *unittest) record() (failed, skipped int) {
	for _, c := range u.cases {
		if !strings.Contains(c.ID, failedModule) {
			u.r.record(c.ID, c.Outcome)
		}
		switch c.Outcome {
		case Failed:
			failed++
		case Skipped:
			skipped++
		}
	}
	return failed, skipped
}

// list reads the list of tests that -v prints. The outcome of a test stands on
// its line, on that of its description, or after what it printed.
func (u *unittest) list(s string) {
	if u.pending != "" && unittestSub.MatchString(s) {
		u.subFail = true
		return
	}
	if m := unittestTest.FindStringSubmatch(s); m != nil && !u.after {
		u.outcome("")
		u.pending = unittestID(m[1], m[2])
		s = m[3]
	}
	if u.pending == "" {
		return
	}
	if bar.MatchString(s) {
		u.outcome("")
	} else if m := unittestHow.FindStringSubmatch(s); m != nil {
		u.outcome(m[1])
	}
}

// outcome closes the pending test. A test with failed subtests has no outcome of
// its own.
func (u *unittest) outcome(how string) {
	o := Failed
	switch {
	case u.pending == "" || how == "" && !u.subFail:
		u.pending = ""
		return
	case u.subFail:
	case how == "ok":
		o = Passed
	case how == "expected failure", strings.HasPrefix(how, "skipped"):
		o = Skipped
	}
	if len(u.cases) <= MaxCases {
		u.cases = append(u.cases, Case{ID: clip(u.pending), Outcome: o})
	}
	u.pending, u.subFail = "", false
}

func (u *unittest) report() (Report, bool) {
	r := u.r
	if u.open {
		r.Incomplete = "the verdict of unittest is missing"
	}
	return r, u.seen
}
