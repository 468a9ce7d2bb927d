package testout

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	goResult      = lazyregexp.New(`^(.*?)--- (PASS|FAIL|SKIP): (\S+) \(\d`)
	goStart       = lazyregexp.New(`^=== (?:RUN|CONT|NAME)\s+(\S+)`)
	goPackageLine = lazyregexp.New(`^(ok  |FAIL|\?   |---)\t(\S+)\s*(.*)$`)
	goRunning     = lazyregexp.New(`^\t\t(\S+) \(\d[\d.hmµns]*\)$`)
	goHeader      = lazyregexp.New(`^# (\S+)`)
)

// goText reads the output of `go test` and `go test -v`.
type goText struct {
	counter
	seen    bool
	r       Report
	tests   []goLine
	started map[string]bool // by -v, in this package
	named   bool            // -v is on: every test that runs is announced
	output  map[string]*firstError
	current string
	outside firstError
	builds  map[string]*firstError
	header  string
	// ended: the last line of the package's tests was there; deadline is the panic of one
	// whose tests took too long, and running the tests that ran then.
	ended    bool
	deadline string
	running  []string
}

type goLine struct{ verdict, name string }

// start remembers a test that -v announced. What it printed without a line end
// stands before its result.
func (g *goText) start(test string) {
	if g.started == nil {
		g.started = map[string]bool{}
	}
	if g.named = true; len(g.started) < maxCases {
		g.started[test] = true
	}
}

func (g *goText) line(s string) {
	if !strings.ContainsAny(s[:min(len(s), 1)], "\t#?") && !framed(s) && !strings.Contains(s, "--- ") {
		g.text(s)
		return
	}
	if m := goResult.FindStringSubmatch(s); m != nil {
		if strings.TrimSpace(m[1]) == "" || g.started[m[3]] {
			g.tests = append(g.tests, goLine{m[2], m[3]})
			g.hit()
			g.current, g.header = m[3], ""
			return
		}
	}
	if m := goStart.FindStringSubmatch(s); m != nil {
		g.hit()
		g.current, g.header = m[1], ""
		g.start(m[1])
		return
	}
	if m := goPackageLine.FindStringSubmatch(s); m != nil {
		g.hit()
		g.endPackage(m[1], m[2], m[3])
		return
	}
	if m := goHeader.FindStringSubmatch(s); m != nil {
		g.header = strings.Trim(m[1], "[]")
		return
	}
	g.text(s)
}

// framed is a cheap test before the patterns.
func framed(s string) bool {
	return startsWith(strings.TrimLeft(s, " "), "--- ", "=== ", "ok ", "FAIL\t")
}

func (g *goText) text(s string) {
	g.ended = g.ended || lastLine(s)
	switch m := goRunning.FindStringSubmatch(s); {
	case g.deadline != "" && m != nil:
		g.running = append(g.running, m[1])
	case strings.HasPrefix(s, "panic: test timed out after "):
		g.deadline = clip(s)
	}
	switch {
	case frame(s):
	case g.header != "":
		into(&g.builds, g.header).add(s)
	case g.current != "":
		into(&g.output, g.current).add(s)
	default:
		g.outside.add(s)
	}
}

// into returns the collector of a name, at most a bounded number of them.
func into(m *map[string]*firstError, name string) *firstError {
	if *m == nil {
		*m = map[string]*firstError{}
	}
	f := (*m)[name]
	if f == nil {
		f = &firstError{}
		if len(*m) < maxFailures {
			(*m)[name] = f
		}
	}
	return f
}

func (g *goText) endPackage(verdict, name, rest string) {
	g.seen = true
	stopped := verdict == "FAIL" && !g.ended && !unbuilt(rest)
	failed := g.count(name)
	if stopped && failed == 0 {
		failed = g.unfinished(name)
	}
	g.r.Stopped = g.r.Stopped || stopped
	switch {
	case stopped && failed == 0:
		g.r.ended(name, g.packageError(name, rest))
	case verdict == "FAIL" && failed == 0:
		g.r.broke(name, g.packageError(name, rest))
	case g.named:
	case verdict == "ok  " && len(g.tests) == 0 && !strings.Contains(rest, "[no tests to run]"):
		g.r.Run++
		g.r.AtLeast, g.r.unnamed = true, true
	case verdict == "FAIL" && !g.verbose():
		g.r.AtLeast, g.r.unnamed = true, true
	}
	g.started, g.ended, g.deadline, g.running = nil, false, "", nil
	g.tests, g.output, g.current, g.header, g.outside = nil, nil, "", "", firstError{}
}

// verbose: passed tests are only named with -v.
func (g *goText) verbose() bool {
	for _, t := range g.tests {
		if t.verdict == "PASS" {
			return true
		}
	}
	return false
}

// count adds the tests of a finished package. A test with subtests is not counted
// itself, unless it failed and none of them did.
func (g *goText) count(pkg string) (failed int) {
	children, bad := map[string]bool{}, map[string]bool{}
	for _, t := range g.tests {
		children[parentOf(t.name)] = true
		if t.verdict == "FAIL" {
			bad[parentOf(t.name)] = true
			failed++
		}
	}
	for _, t := range g.tests {
		switch {
		case t.verdict == "FAIL" && !bad[t.name]:
			g.r.fail(pkg+":"+t.name, into(&g.output, t.name).String())
		case t.verdict == "FAIL" || children[t.name]:
		case t.verdict == "SKIP":
			g.r.skip(pkg + ":" + t.name)
		default:
			g.r.pass(pkg + ":" + t.name)
		}
	}
	return failed
}

// unfinished counts as failed the tests that ran as their package ended, as far as it names
// them: at a deadline, and by -v.
func (g *goText) unfinished(pkg string) int {
	names := g.running
	if len(names) == 0 {
		over := map[string]bool{}
		for _, t := range g.tests {
			over[t.name] = true
		}
		for name := range g.started {
			if !over[name] {
				names = append(names, name)
			}
		}
	}
	failed := 0
	for _, name := range names {
		if slices.ContainsFunc(names, func(other string) bool { return parentOf(other) == name }) {
			continue
		}
		failed++
		g.r.fail(pkg+":"+name, cmp.Or(g.deadline, into(&g.output, name).String(), "it did not end"))
	}
	return failed
}

func (g *goText) packageError(name, rest string) string {
	if f := g.builds[name]; f != nil && f.String() != "" {
		return f.String()
	}
	if s := g.outside.String(); s != "" {
		return s
	}
	if g.current != "" {
		if s := into(&g.output, g.current).String(); s != "" {
			return s
		}
	}
	return "package failed " + rest
}

func (g *goText) report() (Report, bool) {
	r := g.r
	if len(g.tests) > 0 {
		r.Incomplete = "the last package does not end"
	}
	return r, g.seen || len(g.tests) > 0
}
