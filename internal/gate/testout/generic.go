package testout

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// summaries are the final lines of more runners. The named groups are counts.
var summaries = []*lazyregexp.Regexp{
	lazyregexp.New(`^(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?(?:, (?P<errors>\d+) errors? occurred)?`),                                                        // rspec
	lazyregexp.New(`^OK \((?P<total>\d+) tests?, \d+ assertions?\)`),                                                                                                                                    // phpunit
	lazyregexp.New(`^Tests: (?P<total>\d+), Assertions: \d+(?:, Errors: (?P<errors>\d+))?(?:, Failures: (?P<failed>\d+))?(?:, .*?Skipped: (?P<skipped>\d+))?(?:, .*?Incomplete: (?P<incomplete>\d+))?`), // phpunit
	lazyregexp.New(`^(?:\[\w+\] )?Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), Skipped: (?P<skipped>\d+)$`),                                                           // maven's total
	lazyregexp.New(`^(?P<total>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, (?P<errors>\d+) errors(?:, \d+ pendings)?(?:, (?P<skipped>\d+) skips)?`),                                  // minitest
	lazyregexp.New(`^(?P<total>\d+) tests? completed, (?P<failed>\d+) failed(?:, (?P<skipped>\d+) skipped)?`),                                                                                           // gradle, on failure only
	lazyregexp.New(`^(?P<wraps>)\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)`),                                                                                                // ctest
	lazyregexp.New(`^(?:Failed|Passed)! +- Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+), Skipped: +(?P<skipped>\d+)`),                                                                             // dotnet
	lazyregexp.New(`^(?:ok|FAILED) \| (?P<passed>\d+) passed.*?\| (?P<failed>\d+) failed`),                                                                                                              // deno
	lazyregexp.New(`^(?P<wraps>)DONE (?P<total>\d+) tests?(?:, (?P<skipped>\d+) skipped)?(?:, (?P<failed>\d+) failures?)?(?:, (?P<errors>\d+) errors?)? in `),                                           // gotestsum
	lazyregexp.New(`^ +(?P<mocha>)(?P<passed>\d+) passing\b`),                                                                                                                                           // mocha
	lazyregexp.New(`^ +(?P<failed>\d+) failing$`),  // mocha
	lazyregexp.New(`^ +(?P<skipped>\d+) pending$`), // mocha
}

// headings name a failed test in the formats of summaries.
var headings = lazyregexp.New(`^(?:rspec (\./\S+?)(?::\d+)?(?: # (.+))?|\d+\) ([\w\\]+::\w+.*)|=== FAIL: (\S+ \S+) \(.*|\[ERROR\]\s+(\w+\.\w+):\d+.*)$`)

// phpunitSection is above the tests of which PHPUnit describes what happened.
var phpunitSection = lazyregexp.New(`^There (?:was|were) \d+ (.*):$`)

// generic reads counts where no format of its own is known.
type generic struct {
	listing // mocha's
	counter
	seen bool
	r    Report
	// wraps: the runner runs others, whose results may be in the output, too.
	wraps bool
	// aside: what PHPUnit describes now did not fail, but is risky or skipped.
	aside bool
}

func (g *generic) line(s string) {
	g.list(s)
	if len(s) > 400 || !summing(s) {
		return
	}
	for _, x := range summaries {
		if m := x.FindStringSubmatch(s); m != nil {
			g.hit()
			g.count(x.SubexpNames(), m)
			return
		}
	}
	if m := phpunitSection.FindStringSubmatch(s); m != nil {
		g.aside = !strings.Contains(m[1], "error") && !strings.Contains(m[1], "failure")
	}
	if m := headings.FindStringSubmatch(s); m != nil && !g.aside {
		g.hit()
		g.r.note(heading(m[1:]), s)
	}
}

// summing is a cheap test before the patterns.
func summing(s string) bool {
	for _, word := range []string{"ests", "test ", "There w", "OK (", "example", "::", "assertions", "passing", "failing", "pending", "passed", "Failed:", "rspec ", "[ERROR]", "=== FAIL: "} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// heading joins the parts that matched, last one first where both did.
func heading(parts []string) string {
	id := ""
	for _, p := range parts {
		switch {
		case p == "":
		case id == "":
			id = p
		default:
			id += " " + p
		}
	}
	return id
}

func (g *generic) count(names, m []string) {
	g.seen = true
	if slices.Contains(names, "mocha") {
		g.into(&g.r)
	}
	g.wraps = g.wraps || slices.Contains(names, "wraps")
	c := map[string]int{}
	for i, n := range names {
		if n != "" {
			c[n] += number(m[i])
		}
	}
	failed, skipped := c["failed"]+c["errors"], c["skipped"]+c["incomplete"]
	passed := c["passed"] + max(0, c["total"]-failed-skipped)
	g.aside = false
	g.r.Run += passed + failed
	g.r.Failed += failed
	g.r.Skipped += skipped
}

func (g *generic) report() (Report, bool) { return g.r, g.seen }
