package testout

import (
	"slices"
	"strings"
)

// Format names a family of readers, as in a gate's parse key.
type Format string

// The formats. Auto allows all of them.
const (
	Auto     Format = "auto"
	GoTest   Format = "gotest"
	TAP      Format = "tap"
	Node     Format = "node"
	Pytest   Format = "pytest"
	Unittest Format = "unittest"
	Cargo    Format = "cargo"
	Jest     Format = "jest"
	Generic  Format = "generic"
	JUnit    Format = "junit"
)

// Report is the result of one run of tests.
type Report struct {
	Format Format
	// Run counts tests that ran to an end, without skipped ones.
	Run, Failed, Skipped int
	// Failures are sorted by id; at most 1000 are kept.
	Failures []Failure
	// AtLeast: Run is a lower bound, since the output names only packages or
	// failures.
	AtLeast bool
	// Incomplete is why the counts cannot be complete; empty when they can.
	Incomplete string
}

// Failure is one failed test, with its first error line and the values that
// belong to it.
type Failure struct{ ID, Line string }

const maxFailures = 1000

func (r *Report) pass() { r.Run++ }
func (r *Report) skip() { r.Skipped++ }

func (r *Report) fail(id, line string) {
	r.Run++
	r.Failed++
	r.note(id, line)
}

// note names a failure that is counted elsewhere.
func (r *Report) note(id, line string) {
	if len(r.Failures) < maxFailures {
		r.Failures = append(r.Failures, Failure{ID: clip(id), Line: clip(line)})
	}
}

// finish sorts, and keeps the counts from contradicting the names.
func (r Report) finish() Report {
	r.Failed = max(r.Failed, len(r.Failures))
	r.Run = max(r.Run, r.Failed)
	slices.SortStableFunc(r.Failures, func(a, b Failure) int { return strings.Compare(a.ID, b.ID) })
	return r
}

// Merge adds the results of another run of the same format.
func (r Report) Merge(o Report) Report {
	r.Format = o.Format
	r.Run, r.Failed, r.Skipped = r.Run+o.Run, r.Failed+o.Failed, r.Skipped+o.Skipped
	r.AtLeast = r.AtLeast || o.AtLeast
	if r.Incomplete == "" {
		r.Incomplete = o.Incomplete
	}
	r.Failures = append(slices.Clip(r.Failures), o.Failures...)
	r.Failures = r.Failures[:min(len(r.Failures), maxFailures)]
	return r.finish()
}

// Names returns the ids of the failed tests, sorted, each once.
func (r Report) Names() []string {
	var ids []string
	for _, f := range r.Failures {
		ids = append(ids, f.ID)
	}
	return slices.Compact(ids)
}

const maxText = 500

func clip(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return strings.Clone(s) // a short part must not keep a long line alive
}
