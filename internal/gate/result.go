package gate

import (
	"path/filepath"
	"slices"
	"strconv"

	"ralph/internal/gate/evidence"
	"ralph/internal/gate/testout"
	"ralph/internal/loop"
)

// result writes the verdict and its evidence down.
func (e *evaluation) result(v verdict) loop.Result {
	r := e.res
	r.Verdict, r.Reason, r.CannotStart = v.Verdict, v.reason, v.cannotStart
	r.Excerpt = e.out.facts.Excerpt()
	r.Tests = e.counts(v.Verdict)
	if r.Duration == 0 {
		r.Duration = max(0, e.now().Sub(r.StartedAt))
	}
	if v.Verdict != loop.Passed {
		r.Missing = e.out.facts.Missing(e.roots()...)
		r.Fingerprint = evidence.Fingerprint(e.facts(v))
	}
	return r
}

// counts: results that merely happened to be readable are not shown beside a
// pass that they contradict.
func (e *evaluation) counts(v loop.Verdict) *loop.Tests {
	t := e.tests
	if t == nil || v == loop.Passed && t.Failed > 0 {
		return nil
	}
	const shown = 50
	names := t.Names()
	return &loop.Tests{Run: t.Run, Failed: t.Failed, Skipped: t.Skipped, Failing: slices.Clone(names[:min(shown, len(names))])}
}

// facts chooses what the failure is recognised by: what ralph found, else the
// failed tests where each is known with its error, else the output.
func (e *evaluation) facts(v verdict) evidence.Facts {
	f := evidence.Facts{Gate: e.Gate.Name, End: e.end(), Roots: e.roots(), Lines: e.out.facts.Lines()}
	switch {
	case v.about != nil:
		f.Lines = v.about
	case e.Gate.Run == "":
		f.Lines = []string{v.reason}
	case e.tests != nil && e.tests.Failed > 0 && e.tests.Format != testout.Generic && len(e.tests.Failures) >= min(e.tests.Failed, 1000):
		for _, x := range e.tests.Failures {
			f.Failures = append(f.Failures, evidence.Failure(x))
		}
	}
	return f
}

// end is how the command ended, in one word.
func (e *evaluation) end() string {
	switch {
	case e.exit.TimedOut:
		return "timeout"
	case e.exit.Signal != "":
		return e.exit.Signal
	case e.exit.Code != nil:
		return strconv.Itoa(*e.exit.Code)
	}
	return "none"
}

// roots are the names of the tree, which the output may use.
func (e *evaluation) roots() []string {
	out := []string{e.Tree}
	if real, err := filepath.EvalSymlinks(e.Tree); err == nil && real != e.Tree {
		out = append(out, real)
	}
	return out
}
