package testout

import (
	"cmp"
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
	// failures, or since a package or a file could not be tested.
	AtLeast bool
	// Broken are packages and files, at most 50, that failed without naming a
	// test: they do not build, or cannot be loaded. Failed includes them.
	Broken []string
	// Stopped: the runner ended before its tests did, by a panic, a deadline or at the first
	// failure. How many there are is unknown.
	Stopped bool `json:",omitempty"`
	// Cases are all tests, sorted by id; nil unless the runner named every test
	// that ran, at most MaxCases of them. Equal ids are different tests.
	Cases []Case
	// Partial: Cases lack the tests of one of several runners, which did not name them.
	Partial bool `json:",omitempty"`
	// Unread: the runner named its tests, and the names of some could not be read.
	Unread bool
	// unnamed: the runner names only the tests that failed.
	unnamed bool
	// Incomplete is why the counts cannot be complete; empty when they can.
	Incomplete string
}

// Failure is one failed test, with its first error line and the values that
// belong to it.
type Failure struct {
	ID, Line string
	Format   Format `json:"-"` // of the runner, where several are in one output
}

// NamesTest reports whether the failure names a test, rather than a package or a file.
func (f Failure) NamesTest() bool { return f.Format.NamesTest(f.ID) }

// Case is one test and its outcome.
type Case struct {
	ID      string
	Outcome Outcome
}

// Outcome of one test.
type Outcome string

// The outcomes. A test that was expected to fail, and did, is skipped.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
)

// maxCases is the number of tests whose names are kept; with more of them the
// names are unknown.
const maxCases = 100_000

const (
	maxFailures = 1000
	maxBroken   = 50
)

func (r *Report) pass(id string) {
	r.Run++
	r.record(id, Passed)
}

func (r *Report) skip(id string) {
	r.Skipped++
	r.record(id, Skipped)
}

func (r *Report) fail(id, line string) {
	r.Run++
	r.Failed++
	r.note(id, line)
	r.record(id, Failed)
}

// broke records a package or a file that failed without naming a test. How many
// tests there are is unknown.
func (r *Report) broke(id, line string) {
	r.Failed++
	r.AtLeast = true
	r.note(id, line)
	if len(r.Broken) < maxBroken {
		r.Broken = append(r.Broken, clip(id))
	}
}

// ended records a package that ended before its tests did, and of which no test failed. It
// may have been started, and was built.
func (r *Report) ended(id, line string) {
	r.Failed++
	r.Stopped = true
	r.note(id, line)
}

// unloaded is broke for one that the runner counts as a failed test.
func (r *Report) unloaded(id string) {
	r.Run--
	r.AtLeast = true
	if len(r.Broken) < maxBroken {
		r.Broken = append(r.Broken, clip(id))
	}
}

// record keeps the name of a test that is counted elsewhere. One more than
// maxCases shows that there were too many.
func (r *Report) record(id string, o Outcome) {
	if len(r.Cases) <= maxCases {
		r.Cases = append(r.Cases, Case{ID: clip(id), Outcome: o})
	}
}

// note names a failure that is counted elsewhere.
func (r *Report) note(id, line string) {
	if len(r.Failures) < maxFailures {
		r.Failures = append(r.Failures, Failure{ID: clip(id), Line: clip(line)})
	}
}

// finish sorts, and keeps the counts from contradicting the names.
func (r Report) finish() Report {
	if r.Incomplete != "" && r.Failed > 0 {
		r.Stopped = true
	}
	r.AtLeast = r.AtLeast || r.Stopped
	named := r.named()
	r.Failed = max(r.Failed, len(r.Failures))
	r.Run = max(r.Run, r.Failed)
	sortFailures(r.Failures)
	slices.Sort(r.Broken)
	if !named {
		r.Cases = nil
	}
	sortCases(r.Cases)
	return r
}

func sortFailures(all []Failure) {
	slices.SortStableFunc(all, func(a, b Failure) int { return strings.Compare(a.ID, b.ID) })
}

func sortCases(all []Case) {
	slices.SortStableFunc(all, func(a, b Case) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(string(a.Outcome), string(b.Outcome)))
	})
}

// named reports whether there is a name for each test that ran, also where others
// could not run. Some runners do not name skipped tests.
func (r Report) named() bool {
	if len(r.Cases) > maxCases || r.unnamed || r.AtLeast && !r.Stopped && len(r.Broken) == 0 {
		return false
	}
	ran := 0
	for _, c := range r.Cases {
		if c.Outcome != Skipped {
			ran++
		}
	}
	return ran == r.Run
}

// Merge adds the results of another run of the same format.
func (r Report) Merge(o Report) Report {
	r.Format = o.Format
	r.Run, r.Failed, r.Skipped = r.Run+o.Run, r.Failed+o.Failed, r.Skipped+o.Skipped
	r.AtLeast, r.Unread, r.Stopped = r.AtLeast || o.AtLeast, r.Unread || o.Unread, r.Stopped || o.Stopped
	if r.Incomplete == "" {
		r.Incomplete = o.Incomplete
	}
	r.Broken = append(slices.Clip(r.Broken), o.Broken...)
	r.Broken = r.Broken[:min(len(r.Broken), maxBroken)]
	r.Cases = append(slices.Clip(r.Cases), o.Cases...)
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

// FailedIDs returns the ids of the failed tests as the runner lists them and as it
// describes them, which differ for some runners.
func (r Report) FailedIDs() []string {
	ids := r.Names()
	for _, c := range r.Cases {
		if c.Outcome == Failed {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

const maxText = 500

func clip(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return strings.Clone(s) // a short part must not keep a long line alive
}
