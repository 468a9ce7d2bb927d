package gate

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/gate/evidence"
	"ralph/internal/gate/testout"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/secret"
)

// Request is one evaluation.
type Request struct {
	Gate loop.Gate
	// Tree is the absolute root of the judged tree, Commit its commit, Where
	// "gate" or "agent".
	Tree, Commit, Where string

	// RunDir and Run identify the child process (proc.Spec); LogFile gets its
	// output, without the secrets that Mask knows.
	RunDir, Run, LogFile string
	// NamesFile gets the names of all tests (ralph.tests/v1) through Keep, which
	// writes a file durably; without Keep they are not kept.
	NamesFile string
	Keep      func(path string, data []byte) error
	// NameSkipped makes runners name the tests that they skip, too, at the price of
	// another output (verbose).
	NameSkipped bool
	// Only are ids of tests. The run is limited to them where its runner can be told.
	Only []string
	// OnFailed gets the ids of the tests that failed, some perhaps in two forms.
	OnFailed func(ids []string)
	Mask     *secret.Masker
	// Env is the whole environment, already filtered for a gate. The gate's own
	// variables are added to it.
	Env []string

	// Sandbox holds the command; nil is none. Held names it in the evidence.
	Sandbox *proc.Sandbox
	Held    loop.Holder

	// Base: the tree is the base itself and its values become the baseline.
	// Otherwise a gate with a baseline needs Baseline, its result on the base. A
	// gate that named its tests there must name them here too.
	Base     bool
	Baseline *loop.Result
	// Digests of the images as the last evaluation left them (ReadDigests);
	// nil takes those of Baseline.
	Digests map[string]string

	// Sources are files of the commit that no run should change, from the root of the tree:
	// tests, settings of tools, scripts and data. A run that changes one is reported
	// (loop.Result.Rewritten).
	Sources []string

	// Scope is the files of the task, for a gate that counts only these.
	Scope []string

	// Soft and Hard shorten the gate's own deadlines where the loop has less time
	// left; zero keeps them.
	Soft, Hard time.Duration
	OnSoft     func()
	// Kill, when closed, ends the command at once; Grace passes between the
	// polite and the forced end of a stopped command.
	Kill  <-chan struct{}
	Grace time.Duration
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// deadline is the gate's own, shortened.
func (r Request) deadline() loop.Deadline {
	d := r.Gate.Timeout
	if r.Hard > 0 && (d.Hard == 0 || r.Hard < d.Hard) {
		d.Hard = r.Hard
	}
	if r.Soft > 0 && (d.Soft == 0 || r.Soft < d.Soft) {
		d.Soft = r.Soft
	}
	return d
}

func (r Request) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}

// environment adds a gate's own variables; the later of two wins.
func environment(base []string, own map[string]string) []string {
	out := slices.DeleteFunc(slices.Clone(base), func(kv string) bool {
		k, _, _ := strings.Cut(kv, "=")
		_, replaced := own[k]
		return replaced
	})
	for _, k := range slices.Sorted(maps.Keys(own)) {
		out = append(out, k+"="+own[k])
	}
	return out
}

// lookup returns the value of a variable, the last one that is set.
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// result records the verdict and its evidence.
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
		f := e.facts(v)
		r.Fingerprint, r.Detail = evidence.Fingerprint(f), evidence.Detail(f)
	}
	return r
}

// counts returns the results; those that are read only by chance are not shown
// beside a pass that they contradict.
func (e *evaluation) counts(v loop.Verdict) *loop.Tests {
	t := e.tests
	if t == nil || v == loop.Passed && t.Failed > 0 {
		return nil
	}
	const shown = 50
	names := t.Names()
	out := e.names
	out.Run, out.Failed, out.Skipped, out.Failing = loop.Count(t.Run), t.Failed, t.Skipped, slices.Clone(names[:min(shown, len(names))])
	out.NamesUnread, out.NamesPartial = t.Unread && (t.Cases == nil || t.Partial), t.Partial
	cut := t.Incomplete != "" || e.exit.TimedOut || e.exit.Signal != ""
	if t.AtLeast || cut && t.Run+t.Failed > 0 {
		out.Run = loop.Unknown
	}
	return &out
}

// facts chooses what identifies the failure: ralph's own finding, else the failed
// tests if each has an error, else the output.
func (e *evaluation) facts(v verdict) evidence.Facts {
	f := evidence.Facts{Gate: e.Gate.Name, End: e.end(), Roots: e.roots(), Temp: bothNames(lookup(e.Env, "TMPDIR")), Lines: e.out.facts.Lines()}
	switch {
	case v.about != nil:
		f.Lines = v.about
	case e.Gate.Run == "":
		f.Lines = []string{v.reason}
	case e.tests != nil && e.tests.Failed > 0 && !counted(*e.tests) && len(e.tests.Failures) >= min(e.tests.Failed, 1000):
		for _, x := range e.tests.Failures {
			f.Failures = append(f.Failures, evidence.Failure{ID: x.ID, Line: x.Line, Unnamed: !x.NamesTest()})
		}
	}
	return f
}

// counted reports whether a failed test is known from a count and a heading alone.
func counted(r testout.Report) bool {
	return r.Format == testout.Generic || slices.ContainsFunc(r.Failures, func(f testout.Failure) bool { return f.Format == testout.Generic })
}

// end describes the end of the command.
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

// roots returns the names of the tree that the output may use.
func (e *evaluation) roots() []string { return bothNames(e.Tree) }

// bothNames are the names of a folder, as given and without symbolic links.
func bothNames(dir string) []string {
	out := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		out = append(out, real)
	}
	return out
}
