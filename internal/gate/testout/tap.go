package testout

import (
	"fmt"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	tapPoint = lazyregexp.New(`^(not )?ok\b(?:\s+(\d+))?(?:\s+-)?\s*(.*)$`)
	tapPlan  = lazyregexp.New(`^1\.\.(\d+)\s*(#.*)?$`)
	tapSkip  = lazyregexp.New(`(?i)^(.*?)\s#\s*(?:skip|todo)\b`)
	// nodeFile is a point of node --test for a whole file, which it prints where
	// the file breaks outside of its tests.
	nodeFile = lazyregexp.New(`^/\S.*\.[cm]?[jt]sx?$`)
	tapField = lazyregexp.New(`^(error|message|expected|actual|got|wanted|found): ?(.*)$`)
)

// tap reads the Test Anything Protocol, versions 12 to 14, with the nested
// documents (four spaces deeper) of version 14 and of node --test. A test
// point that follows a nested document stands for its points.
type tap struct {
	counter
	version, points bool
	r               Report
	levels          []tapLevel
	names           []string // "# Subtest:" per depth
	yaml            int      // indent of an open YAML block, -1 without
	block           bool     // a multi-line scalar of a field is being read
	last            *Failure // the failure that a YAML block belongs to
	bail            string
	comment         firstError
	crash           string // the text of the comments above the last point
}

// tapLevel is one document that is not over.
type tapLevel struct {
	seen, planned int
	hasPlan       bool
	children, bad bool // the results of the nested document before the next point
}

func (t *tap) line(s string) {
	if t.levels == nil {
		t.levels, t.yaml = []tapLevel{{}}, -1
	}
	body := strings.TrimLeft(s, " ")
	indent := len(s) - len(body)
	if t.yaml >= 0 {
		t.inYAML(body, indent)
		return
	}
	depth := indent / 4
	switch {
	case strings.HasPrefix(body, "TAP version ") && depth == 0:
		t.hit()
		t.endDocument()
		t.version = true
	case strings.HasPrefix(body, "Bail out!"):
		t.hit()
		t.bail = clip(body)
	case body == "---" && t.points:
		t.yaml = indent
	case strings.HasPrefix(body, "# Subtest:") && depth < 64:
		t.open(depth)
		t.names = append(t.names[:min(depth, len(t.names))], strings.TrimSpace(body[len("# Subtest:"):]))
	case strings.HasPrefix(body, "#"):
		t.comment.add(strings.TrimLeft(body, "# "))
	case indent%4 == 0 && depth < len(t.levels)+1 && depth < 64:
		t.planOrPoint(body, depth)
	}
}

func (t *tap) planOrPoint(body string, depth int) {
	if !startsWith(body, "1..", "ok", "not ok") || strings.HasPrefix(body, "ok  \t") { // the last is a package of Go
		return
	}
	if m := tapPlan.FindStringSubmatch(body); m != nil {
		t.hit()
		t.open(depth)
		n, err := strconv.Atoi(m[1])
		l := &t.levels[depth]
		l.hasPlan = l.hasPlan || err == nil
		l.planned += n
		t.close(depth + 1)
		return
	}
	if l := t.levels[0]; body == "ok" && depth == 0 && l.hasPlan && l.seen == l.planned {
		return // prove -v says so of a whole file
	}
	if m := tapPoint.FindStringSubmatch(body); m != nil && (depth == 0 || t.points || t.version || len(t.names) > 0) {
		t.hit()
		t.open(depth)
		t.point(depth, m[1] != "", m[3])
	}
}

// open makes sure that a level exists; close ends the deeper ones.
func (t *tap) open(depth int) {
	for len(t.levels) <= depth {
		t.levels = append(t.levels, tapLevel{})
	}
}

func (t *tap) close(depth int) {
	if len(t.levels) > depth {
		t.levels = t.levels[:depth]
	}
}

func (t *tap) point(depth int, failed bool, text string) {
	t.points = true
	t.close(depth + 1)
	l := &t.levels[depth]
	children, bad := l.children, l.bad
	l.seen, l.children, l.bad, t.last = l.seen+1, false, false, nil
	skipped := tapSkip.MatchString(" " + text)
	if depth > 0 {
		up := &t.levels[depth-1]
		up.children = true
		up.bad = up.bad || failed && !skipped
	}
	switch {
	case failed && !skipped && !bad:
		t.crash = t.comment.error
		if id := t.id(depth, text); nodeFile.MatchString(id) {
			t.r.broke(id, "")
		} else {
			t.r.fail(id, "")
		}
		if n := len(t.r.Failures); n == t.r.Failed {
			t.last = &t.r.Failures[n-1]
		}
	case children:
	case skipped:
		t.r.skip(t.id(depth, text))
	case !failed:
		t.r.pass(t.id(depth, text))
	}
	t.names = t.names[:min(depth, len(t.names))]
	t.comment = firstError{}
}

func (t *tap) id(depth int, text string) string {
	if m := tapSkip.FindStringSubmatch(" " + text); m != nil {
		text = strings.TrimSpace(m[1])
	}
	if text == "" {
		text = fmt.Sprintf("test %d", t.levels[depth].seen)
	}
	return strings.Join(append(append([]string{}, t.names[:min(depth, len(t.names))]...), text), " > ")
}

// inYAML takes the error and the two sides from a diagnostic block.
func (t *tap) inYAML(body string, indent int) {
	if body == "..." && indent <= t.yaml || indent < t.yaml && body != "" {
		t.yaml, t.block = -1, false
		return
	}
	if t.last == nil {
		return
	}
	m := tapField.FindStringSubmatch(body)
	switch {
	case m != nil && indent <= t.yaml+2:
		t.block = strings.HasPrefix(m[2], "|") || strings.HasPrefix(m[2], ">")
		if !t.block {
			t.describe(m[1], strings.Trim(m[2], `'"`))
		}
	case t.block && indent > t.yaml:
		t.describe("", body)
	default:
		t.block = false
	}
}

func (t *tap) describe(field, s string) {
	if s == "" || len(t.last.Line) > maxText/2 {
		return
	}
	if s == "test failed" && t.crash != "" {
		s = t.crash // node prints no more when a whole file breaks
	}
	if field != "" && field != "error" && field != "message" {
		s = field + ": " + s
	}
	if t.last.Line != "" {
		s = t.last.Line + " | " + s
	}
	t.last.Line = clip(s)
}

// endDocument checks the plan of a document that is over.
func (t *tap) endDocument() {
	if why := t.levels[0].lacking(t.points); why != "" && t.r.Incomplete == "" && (t.points || t.levels[0].hasPlan) {
		t.r.Incomplete = why
	}
	t.levels = []tapLevel{{}}
}

func (l tapLevel) lacking(points bool) string {
	switch {
	case points && !l.hasPlan:
		return "the plan (1..N) is missing"
	case l.hasPlan && l.seen != l.planned:
		return fmt.Sprintf("%d tests were planned and %d reported", l.planned, l.seen)
	}
	return ""
}

func (t *tap) report() (Report, bool) {
	if t.levels == nil {
		return Report{}, false
	}
	seen := t.version || t.points && t.levels[0].hasPlan || t.bail != "" && t.points
	r := t.r
	if r.Incomplete == "" {
		r.Incomplete = t.levels[0].lacking(t.points || t.version)
	}
	if t.bail != "" {
		r.Incomplete = t.bail
	}
	return r, seen
}
