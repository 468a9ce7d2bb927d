package worker

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ralph/internal/durable"
	"ralph/internal/gate/evidence"
	"ralph/internal/gate/mutant"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// mutation runs a gate's command on mutants of the lines that the work changed, and passes
// where enough of them make it fail. The base has no such lines, and a merge none that were
// not judged with their own work.
func (w *Worker) mutation(ctx context.Context, s loop.State, e evaluation, h *Hooks) (loop.Result, error) {
	switch {
	case e.OnBase:
		return w.unmeasured(e, "the base has no work in which mutants are made"), nil
	case e.landing:
		return w.unmeasured(e, "the mutants of each part were tried with it"), nil
	}
	began := w.Now()
	r, err := w.withoutMutant(ctx, s, e, h)
	if err != nil || r.Verdict != loop.Passed {
		return r, err
	}
	all, err := w.mutants(ctx, s, e.Commit)
	if err != nil {
		return r, err
	}
	m := mutation{Worker: w, state: s, evaluation: e, hooks: h, plain: r, began: began}
	for _, each := range mutant.Choose(all, e.Gate.MostMutants()) {
		if left := e.Timeout.Hard - w.Now().Sub(began); e.Timeout.Hard > 0 && left <= 0 {
			m.timedOut = true
			break
		} else if err := m.try(ctx, each, left); err != nil {
			return r, err
		}
	}
	return m.judge()
}

// unmeasured is the result where there is nothing to mutate.
func (w *Worker) unmeasured(e evaluation, why string) loop.Result {
	g := e.Gate
	return loop.Result{
		Gate: g.Name, Kind: g.Kind, Level: g.Level, Verdict: loop.Passed, Reason: why, Threshold: g.Threshold,
		Commit: e.Commit, Sandbox: loop.HeldNone, StartedAt: w.Now(), Clean: true,
	}
}

// untilVerified is the result in the tree of an agent, of which there is no commit yet: the
// final verification measures.
func (w *Worker) untilVerified(s loop.State, a loop.Action, seen git.TreeSnapshot) loop.Result {
	r := w.unmeasured(evaluation{Action: a}, "the final verification tries the mutants")
	r.Tree, r.Clean, r.Where = seen.Tree, seen.Clean, AgentTree
	if !s.Verify {
		r.Verdict, r.Reason = loop.Error, "mutants are tried in the final verification only, which this loop does not have"
	}
	return r
}

// withoutMutant is the result of the command on the work as it is: that of a gate with the
// same command in this round, or of a run.
func (w *Worker) withoutMutant(ctx context.Context, s loop.State, e evaluation, h *Hooks) (r loop.Result, err error) {
	g := *e.Gate
	same := slices.IndexFunc(s.Gates, func(o loop.Gate) bool {
		return o.Kind == loop.KindTests && o.Run == g.Run && o.Dir == g.Dir && maps.Equal(o.Env, g.Env)
	})
	var before *loop.Result
	if same >= 0 && s.Last() != nil {
		before = loop.ResultOf(s.Last().Results, s.Gates[same].Name)
	}
	if before != nil && before.Commit == e.Commit {
		if r = *before; r.Verdict != loop.Passed { // the agent hears of it from that gate
			r = w.unmeasured(e, "")
			lose(&r, "no mutant says anything while gate "+before.Gate+" does not pass")
			r.Fingerprint = cmp.Or(before.Fingerprint, r.Fingerprint)
			return r, nil
		}
	} else if r, err = w.runGate(ctx, s, asTests(e, "plain"), h); err != nil {
		return r, err
	}
	r.Gate, r.Kind, r.Level, r.Threshold = g.Name, g.Kind, g.Level, g.Threshold
	if r.Verdict != loop.Passed {
		r.Reason = "without any mutant: " + r.Reason
	}
	return r, nil
}

// asTests is one run of the command of a gate, which names its tests.
func asTests(e evaluation, name string) evaluation {
	g := *e.Gate
	g.Kind = loop.KindTests
	e.Gate, e.name = &g, name
	return e
}

// mutants are those of the sources that a commit changed.
func (w *Worker) mutants(ctx context.Context, s loop.State, commit string) (all []mutant.Mutant, err error) {
	before, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	after, err := w.files(ctx, commit)
	if err != nil {
		return nil, err
	}
	was, is := map[string]proof.File{}, map[string]proof.File{}
	for _, f := range before {
		was[f.Path] = f
	}
	var changed []string
	for _, f := range after {
		if is[f.Path] = f; was[f.Path].ID != f.ID && strings.HasPrefix(f.Mode, "100") {
			changed = append(changed, f.Path)
		}
	}
	for _, p := range redgreen.Product(changed) {
		var old []byte
		if was[p].ID != "" {
			if old, err = w.blob(ctx, was[p].ID); err != nil {
				return nil, err
			}
		}
		now, err := w.blob(ctx, is[p].ID)
		if err != nil {
			return nil, err
		}
		all = append(all, mutant.Of(p, string(old), string(now))...)
	}
	return all, nil
}

// mutation is one measurement.
type mutation struct {
	*Worker
	state      loop.State
	evaluation evaluation
	hooks      *Hooks
	// plain is the result of the command without a mutant.
	plain    loop.Result
	began    time.Time
	timedOut bool

	// killed is the number of mutants with which the command failed, and unbuilt that of
	// those that say nothing, since no test could run. survived are those with which it
	// passed. list tells of each.
	killed, unbuilt int
	survived        []mutant.Mutant
	list            strings.Builder
}

// try runs the command on one mutant. left is the time that the gate has; 0 is no bound.
func (m *mutation) try(ctx context.Context, one mutant.Mutant, left time.Duration) error {
	e := asTests(m.evaluation, "mutant")
	e.Timeout = Within(loop.Deadline{Hard: longestMutant(m.plain.Duration)}, left)
	e.Gate.Timeout = e.Timeout
	files, err := m.files(ctx, e.Commit)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(files, func(f proof.File) bool { return f.Path == one.Path })
	source, err := m.blob(ctx, files[at].ID)
	if err != nil {
		return err
	}
	edit := git.Edit{Path: one.Path, Mode: files[at].Mode, Data: []byte(one.In(string(source)))}
	if e.variant, err = m.Repo.Variant(ctx, e.Commit, []git.Edit{edit}); err != nil {
		return fmt.Errorf("make the mutant %s: %w", one, err)
	}
	r, err := m.runGate(ctx, m.state, e, m.hooks)
	if err != nil {
		return err
	}
	how := "killed"
	switch {
	case r.Verdict == loop.Passed:
		how, m.survived = "survived", append(m.survived, one)
	case untried(r):
		how = "not built"
		m.unbuilt++
	default:
		m.killed++
	}
	fmt.Fprintf(&m.list, "%-10s%s: %s\n", how, one, r.Reason)
	return nil
}

// untried: the mutant did not build, or no test ran for another reason.
func untried(r loop.Result) bool {
	return r.CannotStart || !r.TimedOut && (judge.Broken(r.Excerpt) || r.Tests != nil && r.Tests.Run == 0 && r.Tests.Failed == 0)
}

// longestMutant is how long the command may take with a mutant, which can make it run
// without an end: ten seconds, and four times as long as without one. One that takes longer
// is killed, as in other tools of mutation testing.
func longestMutant(plain time.Duration) time.Duration { return 10*time.Second + 4*plain }

// judge is the result of the gate.
func (m *mutation) judge() (loop.Result, error) {
	e, tried := m.evaluation, m.killed+len(m.survived)
	floor := e.Gate.MutationFloor()
	r := m.unmeasured(e, "")
	r.Threshold, r.TimedOut, r.StartedAt, r.Duration = &floor, m.timedOut, m.began, m.Now().Sub(m.began)
	r.Argv, r.Where, r.Clean, r.Room, r.Sandbox = m.plain.Argv, m.plain.Where, m.plain.Clean, m.plain.Room, m.plain.Sandbox
	switch {
	case m.timedOut:
		r.Verdict, r.Reason = loop.Failed, fmt.Sprintf("timed out after %s, with %s tried; give the gate more time or fewer mutants", e.Timeout.Hard, text.Plural(tried+m.unbuilt, "mutant"))
	case tried == 0 && m.unbuilt == 0:
		r.Reason = "the work has no line in which ralph makes mutants"
	case tried == 0:
		r.Verdict, r.Reason = loop.Error, "no mutant could be built, so that nothing was measured"
	default:
		score := 100 * float64(m.killed) / float64(tried)
		r.Value, r.Reason = &score, fmt.Sprintf("%d of %s killed", m.killed, text.Plural(tried, "mutant"))
		if score < floor {
			r.Verdict = loop.Failed
			r.Reason += fmt.Sprintf(", %.4g %% < %.4g %%; no test noticed %s", score, floor, m.survived[0])
		}
	}
	if r.Verdict != loop.Passed {
		r.Excerpt, r.Fingerprint = m.forAgent(r)
	}
	mask, file := m.redactGate(m.state, *e.Gate), m.log(e)
	kept := []byte(mask.Mask(m.list.String()))
	r.Reason, r.Excerpt = mask.Mask(r.Reason), mask.Mask(r.Excerpt)
	if err := durable.Write(file, kept); err != nil {
		return r, err
	}
	sum := sha256.Sum256(kept)
	r.OutputFile, r.OutputSHA256, r.OutputBytes = file, hex.EncodeToString(sum[:]), int64(len(kept))
	return r, nil
}

// forAgent is what the next attempt is told, and the fingerprint of the failure.
func (m *mutation) forAgent(r loop.Result) (excerpt, fingerprint string) {
	var lines []string
	for _, s := range m.survived {
		lines = append(lines, s.String())
	}
	if len(lines) == 0 { // the time was over
		lines = []string{"none yet"}
	}
	excerpt = "Each of these errors was put into the code, and all tests passed. Add assertions that fail with them:\n" + strings.Join(lines, "\n") + "\n"
	return excerpt, evidence.Fingerprint(evidence.Facts{Gate: r.Gate, End: "0", Lines: append(lines, r.Reason)})
}
