package testout

import (
	"encoding/json"
	"strings"
)

// goEvent is one line of `go test -json` (go doc test2json).
type goEvent struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
}

func parseGoEvent(line string) (goEvent, bool) {
	if !strings.HasPrefix(line, `{"`) || !strings.Contains(line, `"Action":"`) {
		return goEvent{}, false
	}
	return decodeGoEvent(line)
}

// decodeGoEvent is separate because its event lives on the heap, which other
// lines must not cost.
func decodeGoEvent(line string) (goEvent, bool) {
	var e goEvent
	if json.Unmarshal([]byte(line), &e) != nil {
		return goEvent{}, false
	}
	return e, e.Action != "" && (e.Package != "" || e.ImportPath != "")
}

// GoOutput returns the text in an event of `go test -json`, so that evidence
// shows the test's own output. The second result is false when the line is not
// such an event.
func GoOutput(line string) (string, bool) {
	e, ok := parseGoEvent(line)
	return e.Output, ok
}

// goJSON reads `go test -json`.
type goJSON struct {
	counter
	seen     bool
	r        Report
	packages map[string]*goPackage
	builds   map[string]*firstError
}

// goPackage holds the unfinished tests of one package.
type goPackage struct {
	running map[string]*goCase
	output  firstError
	failed  int
	over    bool
	// ended: the last line of its tests was there; unbuilt: they could not be started.
	ended, unbuilt bool
}

type goCase struct {
	output   firstError
	children int
	badChild bool
}

// line ignores lines that are not events.
func (g *goJSON) line(string) {}

func (g *goJSON) event(e goEvent) {
	g.hit()
	if !g.seen {
		g.seen, g.packages, g.builds = true, map[string]*goPackage{}, map[string]*firstError{}
	}
	if e.Package == "" {
		g.build(e)
		return
	}
	p := g.packages[e.Package]
	if p == nil {
		p = &goPackage{running: map[string]*goCase{}}
		g.packages[e.Package] = p
	}
	if e.Test == "" {
		g.packageEvent(p, e)
		return
	}
	g.testEvent(p, e)
}

func (g *goJSON) build(e goEvent) {
	f := g.builds[e.ImportPath]
	if f == nil {
		f = &firstError{}
		g.builds[e.ImportPath] = f
	}
	if e.Action == "build-output" && !strings.HasPrefix(e.Output, "# ") {
		f.add(e.Output)
	}
}

func (g *goJSON) packageEvent(p *goPackage, e goEvent) {
	switch e.Action {
	case "output":
		if !frame(e.Output) {
			p.output.add(e.Output)
		}
		p.ended, p.unbuilt = p.ended || lastLine(e.Output), p.unbuilt || unbuilt(e.Output)
	case "pass", "fail", "skip":
		p.over = true
		stopped := g.unfinished(p, e.Package)
		if e.Action == "fail" && !p.ended && !p.unbuilt && e.FailedBuild == "" {
			stopped = true
		}
		switch {
		case e.Action != "fail":
		case p.failed == 0 && stopped:
			g.r.ended(e.Package, g.packageError(p, e))
		case p.failed == 0:
			g.r.broke(e.Package, g.packageError(p, e))
		}
		g.r.Stopped = g.r.Stopped || stopped
	}
}

// packageError returns why a package failed without a failed test: it did not
// build, or something outside of a test ended it.
func (g *goJSON) packageError(p *goPackage, e goEvent) string {
	if f := g.builds[e.FailedBuild]; f != nil {
		return f.String()
	}
	if s := p.output.String(); s != "" {
		return s
	}
	return "package failed"
}

// unfinished counts tests that began and never ended as failed, and reports whether there are some.
func (g *goJSON) unfinished(p *goPackage, name string) bool {
	some := len(p.running) > 0
	for test, c := range p.running {
		if c.children == 0 {
			g.fail(p, name, test, &c.output)
		}
	}
	clear(p.running)
	return some
}

func (g *goJSON) testEvent(p *goPackage, e goEvent) {
	c := p.running[e.Test]
	if c == nil {
		c = &goCase{}
		p.running[e.Test] = c
	}
	switch e.Action {
	case "run":
		if parent := p.running[parentOf(e.Test)]; parent != nil {
			parent.children++
		}
	case "output":
		if !frame(e.Output) {
			c.output.add(e.Output)
		}
	case "pass", "fail", "skip":
		delete(p.running, e.Test)
		g.end(p, e, c)
	}
}

// end counts a test. One with subtests is not counted itself, unless it failed
// and none of them did.
func (g *goJSON) end(p *goPackage, e goEvent, c *goCase) {
	parent := p.running[parentOf(e.Test)]
	switch {
	case e.Action == "fail":
		if parent != nil {
			parent.badChild = true
		}
		if !c.badChild {
			g.fail(p, e.Package, e.Test, &c.output)
			return
		}
		p.failed++
	case c.children > 0:
	case e.Action == "skip":
		g.r.skip(e.Package + ":" + e.Test)
	default:
		g.r.pass(e.Package + ":" + e.Test)
	}
}

func (g *goJSON) fail(p *goPackage, pkg, test string, f *firstError) {
	p.failed++
	g.r.fail(pkg+":"+test, f.String())
}

func (g *goJSON) report() (Report, bool) {
	r := g.r
	for name, p := range g.packages {
		if !p.over {
			r.Incomplete = "the results of " + name + " do not end"
		}
	}
	return r, g.seen
}

// lastLine reports whether it is the line with which a package's tests end by themselves. After a
// panic, a deadline and an exit there is none.
func lastLine(s string) bool {
	s = strings.TrimRight(s, "\r\n")
	return s == "PASS" || strings.HasSuffix(s, "FAIL")
}

// unbuilt reports whether the line of a package says that its tests could not be started.
func unbuilt(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasSuffix(s, "[build failed]") || strings.HasSuffix(s, "[setup failed]")
}

// frame reports whether the testing package prints the line around the output of
// tests.
func frame(s string) bool {
	s = strings.TrimSpace(s)
	for _, p := range []string{"=== ", "--- ", "FAIL\t", "ok  \t", "coverage: ", "exit status "} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return s == "PASS" || s == "FAIL"
}

func parentOf(test string) string {
	i := strings.LastIndexByte(test, '/')
	return test[:max(i, 0)]
}
