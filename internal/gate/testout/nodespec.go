package testout

import (
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	nodeCount   = lazyregexp.New(`^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d+)$`)
	nodeAt      = lazyregexp.New(`^test at (.+?):\d+:\d+$`)
	nodeThrown  = lazyregexp.New(`^\w*Error(?: \[\w+\])?: `)
	nodeFailure = lazyregexp.New(`^✖ (.+?)(?: \(\d[\d.]*ms\))?( # (?:TODO|SKIP).*)?$`)
)

// nodeSpec reads the spec reporter of node --test: its counts, and the section
// in which it repeats the failures.
type nodeSpec struct {
	seen, failing bool
	r             Report
	file          string
	id            string
	first         firstError
	thrown        string // errors outside of any test
}

func (n *nodeSpec) line(s string) {
	if strings.HasPrefix(s, "ℹ ") {
		if m := nodeCount.FindStringSubmatch(s); m != nil {
			n.count(m[1], m[2])
		}
		return
	}
	if s == "✖ failing tests:" {
		n.failing = true
		return
	}
	if !n.failing {
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

// why a test failed; of a whole file that broke node says no more than that.
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
