package testout

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	pytestSummary = lazyregexp.New(`^=* ?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests passed)(?:, )?)+|no tests ran) in [\d.]+ ?s\b`)
	pytestCount   = lazyregexp.New(`(\d+) (failed|passed|skipped|xfailed|xpassed|errors?)\b`)
	pytestNamed   = lazyregexp.New(`^(FAILED|ERROR|XFAIL) (\S.*?)(?: - (.*))?$`)
	pytestPassed  = lazyregexp.New(`^(PASSED|XPASS) (\S[^\[]*?(?:\[.*\])?)(?: - .*)?$`)
	pytestSkipped = lazyregexp.New(`^(?:(?:\[gw\d+\] )?(?:\[ *\d+%\] )?SKIPPED (\S+::.*?)|(\S+?\.py::.+?) SKIPPED(?: \(.*\)?)?(?:\s+\[ *\d+%\])?)\s*$`)
	pytestHeader  = lazyregexp.New(`^=+ short test summary info =+$`)
	pytestSection = lazyregexp.New(`^_{3,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(.+?) _{3,}$`)
	pytestFrame   = lazyregexp.New(`^=+ [a-z].* =+$|^[.FEsxXp]+ +\[ *\d+%\]$`)
	pytestStop    = lazyregexp.New(`^!{3,} .+ !{3,}$`)
	pytestConf    = lazyregexp.New(`^(ImportError while loading conftest|INTERNALERROR>|ERROR: file or directory not found)`)
)

// pytest reads its text: the closing summary, the FAILED and ERROR lines of
// the short summary, and the "E" lines of the sections above it.
type pytest struct {
	counter
	seen     bool
	r        Report
	named    []Failure
	cases    []Case
	sections map[string]*firstError
	section  string
	// skipped are the ids that verbose output names as they are skipped; the summary
	// names places in the source.
	skipped []string
	broken  string
	load    pytestLoad
	// errors are the tests that ended with an error. One behind a test that has an outcome,
	// as it is torn down, makes pytest name and count it twice.
	errors map[string]bool
}

func (p *pytest) line(s string) {
	if p.broken != "" {
		p.load.line(s)
	}
	if pytestOwn(s) {
		p.hit()
	}
	if strings.HasPrefix(s, "!!!") && pytestStop.MatchString(s) {
		p.r.Stopped = true // at a number of failures (-x), by a key or by pytest.exit
		return
	}
	if p.section != "" && strings.HasPrefix(s, "E ") {
		into(&p.sections, p.section).add(s)
		return
	}
	if strings.Contains(s, "SKIPPED") {
		if m := pytestSkipped.FindStringSubmatch(s); m != nil && len(p.skipped) <= maxCases {
			p.hit()
			p.skipped = append(p.skipped, clip(m[1]+m[2]))
			return
		}
	}
	if !startsWith(s, "=", "_", "FAILED ", "PASSED ", "XPASS ", "XFAIL ", "ERROR", "ImportError", "INTERNALERROR", "no tests") && (s[0] < '0' || s[0] > '9' || !strings.Contains(s, " in ")) {
		return
	}
	if m := pytestSummary.FindStringSubmatch(s); m != nil {
		p.hit()
		p.end(m[1])
		return
	}
	if m := pytestSection.FindStringSubmatch(s); m != nil {
		p.section = m[1]
		return
	}
	if pytestHeader.MatchString(s) {
		// What came before was printed by tests, or repeats.
		p.named, p.cases, p.section, p.errors = nil, nil, "", nil
		return
	}
	if m := pytestPassed.FindStringSubmatch(s); m != nil && pytestID(m[2]) {
		p.hit()
		p.test(m[2], Passed)
		return
	}
	if m := pytestNamed.FindStringSubmatch(s); m != nil && pytestID(m[2]) {
		p.hit()
		p.notPassed(m[1], Failure{ID: m[2], Line: m[3]})
		return
	}
	if pytestConf.MatchString(s) && p.broken == "" {
		p.hit()
		p.broken = s
		p.load.begin(s)
	}
}

// pytestOwn reports whether a line is one of those with which pytest frames what tests
// print: a heading, or its progress.
func pytestOwn(s string) bool {
	return startsWith(s, "=", ".", "F", "E", "s", "x", "X") && pytestFrame.MatchString(s)
}

func (p *pytest) notPassed(how string, f Failure) {
	p.section = ""
	if how == "XFAIL" {
		p.test(f.ID, Skipped)
		return
	}
	if how == "ERROR" && len(p.errors) < maxCases {
		if p.errors == nil {
			p.errors = map[string]bool{}
		}
		p.errors[clip(f.ID)] = true
	}
	p.test(f.ID, Failed)
	if len(p.named) < maxFailures {
		p.named = append(p.named, f)
	}
}

func (p *pytest) test(id string, o Outcome) {
	if len(p.cases) <= maxCases {
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
	p.once()
	p.names()
}

// once makes one test of each that ended with an error behind its outcome.
func (p *pytest) once() {
	at, out := map[string]int{}, p.cases[:0]
	for _, c := range p.cases {
		i, again := at[c.ID]
		if !again || !p.errors[c.ID] {
			at[c.ID] = len(out)
			out = append(out, c)
			continue
		}
		p.r.Run--
		if c.Outcome == Failed && out[i].Outcome == Failed {
			p.r.Failed--
		}
		out[i].Outcome = Failed
	}
	p.cases = out
	noted := map[string]bool{}
	p.named = slices.DeleteFunc(p.named, func(f Failure) bool {
		id := clip(f.ID)
		again := noted[id] && p.errors[id]
		noted[id] = true
		return again
	})
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
	for _, id := range p.skipped {
		p.r.record(id, Skipped)
	}
	if len(p.named) == 0 {
		for name, f := range p.sections {
			p.r.note(name, f.String())
		}
	}
	p.named, p.cases, p.sections, p.section, p.skipped = nil, nil, nil, "", nil
	p.errors = nil
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
		r.broke(p.load.name(), p.broken)
		return r, true
	}
	if len(p.named) > 0 {
		r.Incomplete = "the summary of pytest is missing"
	}
	return r, p.seen
}
