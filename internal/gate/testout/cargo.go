package testout

import (
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	cargoResult  = lazyregexp.New(`^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored`)
	cargoStart   = lazyregexp.New(`^running \d+ tests?$`)
	cargoTest    = lazyregexp.New(`^test (.+?)(?: \(line \d+\))?(?: - should panic)?(?: - compile(?: fail)?)? \.\.\. (ok|FAILED|ignored)\b`)
	cargoLine    = lazyregexp.New(` \(line \d+\)$`)
	cargoSection = lazyregexp.New(`^---- (.+?) (?:stdout|stderr) ----$`)
	cargoCompile = lazyregexp.New("^error: could not compile `([^`]+)`")
	cargoGoesOn  = lazyregexp.New(`^error: (\d+) targets? failed:`)
	cargoError   = lazyregexp.New(`^error(\[E\d+\])?: `)
)

// cargo reads `cargo test`, and a compilation that failed before any test.
type cargo struct {
	counter
	seen, open bool
	r          Report
	failed     []string
	// listed are the failures that the end of a run lists: with -q it names no others.
	listed   []string
	listing  bool
	sections map[string]*firstError
	section  string
	compile  string
	// stops are binaries that failed and behind which no others run, as without --no-fail-fast.
	stops int
}

func (c *cargo) line(s string) {
	c.list(s)
	if !startsWith(s, "running ", "test ", "---- ", "error") {
		c.text(s)
		return
	}
	if cargoStart.MatchString(s) {
		c.hit()
		c.open = true
		return
	}
	if m := cargoResult.FindStringSubmatch(s); m != nil {
		c.hit()
		c.end(m)
		return
	}
	if m := cargoTest.FindStringSubmatch(s); m != nil {
		c.hit()
		c.test(m[1], m[2])
		return
	}
	if m := cargoSection.FindStringSubmatch(s); m != nil {
		c.hit()
		c.section = cargoLine.ReplaceAllString(m[1], "")
		return
	}
	if m := cargoCompile.FindStringSubmatch(s); m != nil {
		c.hit()
		if !c.seen { // the library and its tests are built apart
			c.r.broke("build of "+m[1], c.compile)
		}
		c.seen = true
		return
	}
	if strings.HasPrefix(s, "error: test failed, to rerun pass") {
		c.stops++
	} else if m := cargoGoesOn.FindStringSubmatch(s); m != nil {
		c.stops -= number(m[1])
	}
	if c.section == "" && c.compile == "" && cargoError.MatchString(s) {
		c.compile = clip(s)
	}
	c.text(s)
}

// test records a line of a test. The line number of a documentation test is not
// part of its name.
func (c *cargo) test(id, outcome string) {
	switch outcome {
	case "ok":
		c.r.record(id, Passed)
	case "ignored":
		c.r.record(id, Skipped)
	default:
		c.r.record(id, Failed)
		if len(c.failed) < maxFailures {
			c.failed = append(c.failed, id)
		}
	}
}

// list reads the names below the last "failures:". Before it stands another one, above what
// the failed tests printed.
func (c *cargo) list(s string) {
	name, indented := strings.CutPrefix(s, "    ")
	switch {
	case s == "failures:":
		c.listed, c.listing = nil, true
	case c.listing && indented && len(c.listed) < maxFailures:
		c.listed = append(c.listed, cargoLine.ReplaceAllString(name, ""))
	}
}

func (c *cargo) text(s string) {
	if c.section != "" {
		into(&c.sections, c.section).add(s)
	}
}

func (c *cargo) end(m []string) {
	passed, failed := number(m[2]), number(m[3])
	if m[1] == "FAILED" {
		failed = max(failed, 1)
	}
	c.seen, c.open = true, false
	c.r.Run += passed + failed
	c.r.Failed += failed
	c.r.Skipped += number(m[4])
	if len(c.failed) == 0 && len(c.listed) == min(failed, maxFailures) {
		for _, id := range c.listed {
			c.test(id, "FAILED")
		}
	}
	for _, id := range c.failed {
		c.r.note(id, into(&c.sections, id).String())
	}
	c.failed, c.sections, c.section = nil, nil, ""
	c.listed, c.listing = nil, false
}

func (c *cargo) report() (Report, bool) {
	r := c.r
	r.Stopped = c.stops > 0
	if c.open {
		r.Incomplete = "the result of cargo test is missing"
		if len(c.failed) > 0 {
			return r, true
		}
	}
	return r, c.seen
}
