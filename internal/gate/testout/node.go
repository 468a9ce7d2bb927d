package testout

import (
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	jestTests   = lazyregexp.New(`^\s*Tests:?\s{1,12}((?:\d+ (?:failed|passed|skipped|pending|todo|total)[,| ]*)+)(?:\(\d+\))?$`)
	jestSuites  = lazyregexp.New(`^\s*Test (?:Suites:|Files)\s+((?:\d+ (?:failed|passed|skipped|pending|todo|total)[,| ]*)+)(?:\(\d+\))?`)
	jestCount   = lazyregexp.New(`(\d+) (failed|passed|skipped|pending|todo)`)
	jestFailure = lazyregexp.New(`^\s*(?:●|FAIL )\s+(\S.*?)(?: \[ .* \])?$`)
	jestNone    = lazyregexp.New(`^(No tests found|No test files found)`)
)

// jest reads the summary and the failure headings of jest ("● suite › name")
// and of vitest ("FAIL  file > suite > name").
type jest struct {
	counter
	listing
	seen   bool
	r      Report
	suites int
	// unloaded: a file could not be run, so the number of its tests is unknown.
	unloaded bool
	id       string
	ids      map[string]bool
	first    firstError
}

func (j *jest) line(s string) {
	if j.list(s) {
		j.hit()
	}
	if !startsWith(strings.TrimLeft(s, " \t"), "Test", "No test", "●", "FAIL ") {
		j.text(s)
		return
	}
	if m := jestTests.FindStringSubmatch(s); m != nil {
		j.hit()
		j.tests(m[1])
		return
	}
	if m := jestSuites.FindStringSubmatch(s); m != nil {
		j.hit()
		j.close()
		j.seen = true
		for _, c := range jestCount.FindAllStringSubmatch(m[1], -1) {
			if c[2] == "failed" {
				j.suites += number(c[1])
			}
		}
		return
	}
	if jestNone.MatchString(s) {
		j.hit()
		j.seen = true
		return
	}
	if m := jestFailure.FindStringSubmatch(s); m != nil && jestNamed(m[1]) {
		j.hit()
		j.close()
		j.id = m[1]
		j.unloaded = j.unloaded || strings.Contains(m[1], "suite failed to run")
		return
	}
	j.text(s)
}

func (j *jest) text(s string) {
	if j.id != "" {
		j.first.add(s)
	}
}

// jestNamed: a heading that names a test, or a file in which none could be.
func jestNamed(s string) bool {
	return strings.Contains(s, " › ") || strings.Contains(s, " > ") || strings.Contains(s, "suite failed to run")
}

func (j *jest) tests(counts string) {
	j.close()
	j.seen = true
	j.into(&j.r)
	for _, c := range jestCount.FindAllStringSubmatch(counts, -1) {
		n := number(c[1])
		switch c[2] {
		case "passed":
			j.r.Run += n
		case "failed":
			j.r.Run += n
			j.r.Failed += n
		default:
			j.r.Skipped += n
		}
	}
}

// close records a failure once; jest repeats all of them after many suites.
func (j *jest) close() {
	if j.id != "" && !j.ids[j.id] && len(j.ids) < maxFailures {
		if j.ids == nil {
			j.ids = map[string]bool{}
		}
		j.ids[j.id] = true
		j.r.note(j.id, j.first.String())
	}
	j.id, j.first = "", firstError{}
}

func (j *jest) report() (Report, bool) {
	j.close()
	r := j.r
	if j.unloaded {
		r.AtLeast = true
	}
	if r.Failed == 0 && len(r.Failures) == 0 && j.suites > 0 {
		r.broke("a test file", "it could not be run")
	}
	return r, j.seen
}

var (
	nodeLine    = lazyregexp.New(`^( *)([✔✖﹣▶]) (.+?)(?: \(\d[\d.]*ms\))?( # (?:TODO|SKIP).*)?$`)
	nodeTimed   = lazyregexp.New(` \(\d[\d.]*ms\)(?: # (?:TODO|SKIP).*)?$`)
	nodeCount   = lazyregexp.New(`^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d+)$`)
	nodeAt      = lazyregexp.New(`^test at (.+?):\d+:\d+$`)
	nodeThrown  = lazyregexp.New(`^\w*Error(?: \[\w+\])?: `)
	nodeFailure = lazyregexp.New(`^✖ (.+?)(?: \(\d[\d.]*ms\))?( # (?:TODO|SKIP).*)?$`)
)

// nodeSpec reads the spec reporter of node --test: its counts, and the section
// in which it repeats the failures.
type nodeSpec struct {
	counter
	seen, failing bool
	r             Report
	file          string
	id            string
	suites        []string
	first         firstError
	thrown        string // errors outside of any test
}

func (n *nodeSpec) line(s string) {
	if strings.HasPrefix(s, "ℹ ") {
		if m := nodeCount.FindStringSubmatch(s); m != nil {
			n.hit()
			n.count(m[1], m[2])
		}
		return
	}
	if s == "✖ failing tests:" {
		n.failing = true
		return
	}
	if !n.failing {
		n.result(s)
		if strings.Contains(s, "Error") && nodeThrown.MatchString(s) {
			n.thrown = clip(n.thrown + " " + s)
		}
		return
	}
	if m := nodeAt.FindStringSubmatch(s); m != nil {
		n.end()
		n.file = m[1]
		return
	}
	if m := nodeFailure.FindStringSubmatch(s); m != nil && n.file != "" {
		if m[2] == "" {
			n.id = n.file + ": " + m[1]
		}
		n.file = ""
		return
	}
	n.first.add(s)
}

// result reads a line of the list. A suite is printed before its tests, and again
// after them, with its duration.
func (n *nodeSpec) result(s string) {
	if !startsWith(strings.TrimLeft(s, " "), "✔", "✖", "﹣", "▶") {
		return
	}
	m := nodeLine.FindStringSubmatch(s)
	if m == nil {
		return
	}
	n.hit()
	depth := min(len(m[1])/2, len(n.suites))
	if len(n.suites) == depth+1 && n.suites[depth] == m[3] && nodeTimed.MatchString(s) {
		n.suites = n.suites[:depth]
		return
	}
	n.suites = n.suites[:depth]
	if m[2] == "▶" {
		n.suites = append(n.suites, m[3])
		return
	}
	id := strings.Join(append(slices.Clone(n.suites), m[3]), " > ")
	switch {
	case m[2] == "﹣" || m[4] != "":
		n.r.record(id, Skipped)
	case m[2] == "✖":
		n.r.record(id, Failed)
	default:
		n.r.record(id, Passed)
	}
}

func (n *nodeSpec) count(what, number string) {
	c, err := strconv.Atoi(number)
	if err != nil {
		return
	}
	switch what {
	case "tests": // the first line of a summary
		n.end()
		n.seen, n.failing = true, false
	case "pass":
		n.r.Run += c
	case "fail", "cancelled":
		n.r.Run += c
		n.r.Failed += c
	default:
		n.r.Skipped += c
	}
}

// end closes the failure that is being read.
func (n *nodeSpec) end() {
	if n.id != "" {
		n.r.note(n.id, n.why())
	}
	n.id, n.file, n.first = "", "", firstError{}
}

// why returns why a test failed; for a whole broken file node gives no more.
func (n *nodeSpec) why() string {
	if s := n.first.String(); s != "'test failed'" || n.thrown == "" {
		return s
	}
	return n.thrown
}

func (n *nodeSpec) report() (Report, bool) {
	if n.failing {
		n.end()
	}
	return n.r, n.seen
}

// number reads a count that a pattern found; absent is 0.
func number(s string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil {
		return 0
	}
	return n
}
