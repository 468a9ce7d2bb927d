package worker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/gate/canary"
	"ralph/internal/git"
	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/proof"
)

// probe takes the pass from a gate whose runner does not report tests that must
// fail. It runs once a verdict, when everything else of a hard gate passed. A merge
// needs none: both of its sides had theirs.
func (w *Worker) probe(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	if e.OnBase || e.landing || r.Level == loop.Soft || r.Verdict != loop.Passed || e.pass+1 < s.Limits.ConfirmPasses {
		return nil
	}
	if e.Gate.Kind != loop.KindTests && e.Gate.Kind != loop.KindCoverage || r.Tests == nil {
		r.Canary, r.CanaryWhy = loop.CanaryNA, "the command is no test runner that ralph knows"
		return nil
	}
	if s.GatesInAgentTree {
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "the gate runs in the agent's own tree"
		return nil
	}
	of, err := w.canaryPlaces(ctx, s.Base, e, canary.Options{})
	if err != nil {
		return err
	}
	if len(of) == 0 {
		r.Canary, r.CanaryWhy = loop.CanaryNA, "the base has no tests into which ralph can put one"
		return nil
	}
	if err := w.idle(ctx, s, e, r, h); err != nil || r.Verdict != loop.Passed {
		return err
	}
	return w.tryCanary(ctx, s, e, names(of), r, h)
}

// tryCanary runs the gate on the commit with canaries in the places of the base, and
// with the project's own tests made to fail. It accuses only of what the runner of the
// base was seen to report, and that a second run with new ones does not report either.
func (w *Worker) tryCanary(ctx context.Context, s loop.State, e evaluation, of []string, r *loop.Result, h *Hooks) error {
	passed, err := passedTests(*r)
	if err != nil {
		return fmt.Errorf("names of the tests in gate %s: %w", e.Gate.Name, err)
	}
	c := evaluation{Action: e.Action, name: "canary", attempt: e.attempt, pass: e.pass, left: e.left}
	ran, err := w.runCanary(ctx, s, c, canary.Options{Only: of, Own: true}, h)
	if err != nil {
		return err
	}
	ran.expect(passed)
	if len(ran.places) == 0 {
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "none of the files of tests that the base has is left"
		return nil
	}
	if !ran.sound() {
		p, err := w.provedPlaces(ctx, s, e, h)
		if err != nil {
			return err
		}
		if len(p.Places) == 0 {
			return w.tryNewTests(ctx, s, c, passed, p.Why, r, h)
		}
		if ran.only(p); !ran.sound() {
			if ran, err = w.runCanary(ctx, s, c, canary.Options{Only: p.Places, Own: len(p.Tests) > 0}, h); err != nil {
				return err
			}
			ran.expect(passed)
			ran.only(p)
		}
	}
	if ran.sound() && len(ran.places) > 0 && len(s.Last().Suspects) > 0 {
		if ran.swallowed, err = w.swallowedBeside(ctx, s, c, h); err != nil {
			return err
		}
	}
	switch {
	case len(ran.places) == 0:
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "none of the files of tests in which the base reports one is left"
	case ran.sound():
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("tests that must fail were reported in %d of %d places", len(ran.places), len(of))
	default:
		r.Canary, r.CanaryWhy = loop.CanarySwallowed, "the gate is green with tests that must fail"
		if ran.swallowed != "" {
			r.CanaryWhy = "tests that must fail are not reported as failed in " + ran.swallowed + " beside tests of the project that are as they were"
		} else if len(ran.missing) > 0 {
			r.CanaryWhy = "tests that must fail are not reported as failed in " + ran.missing[0].At
		} else if len(ran.forgiven) > 0 {
			r.CanaryWhy = "a test that ralph made fail is not reported as failed: " + ran.forgiven[0]
		}
		lose(r, "the test runner no longer reports failures: "+r.CanaryWhy)
	}
	return nil
}

// tryNewTests runs the gate with canaries in the work's new tests, where those of the base
// prove nothing: a gate may name a file that only the work has. It accuses of nothing,
// since no run of the base can tell what is usual.
func (w *Worker) tryNewTests(ctx context.Context, s loop.State, c evaluation, passed []string, why string, r *loop.Result, h *Hooks) error {
	r.Canary, r.CanaryWhy = loop.CanaryUnknown, why
	old, err := w.filesOf(ctx, s.Base, c)
	if err != nil {
		return err
	}
	all, err := w.canaryPlaces(ctx, c.Commit, c, canary.Options{})
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(names(all), func(at string) bool {
		for f := range old {
			if f == at || path.Dir(f) == at {
				return true
			}
		}
		return false
	})
	if len(fresh) == 0 || len(s.Last().Suspects) > 0 {
		return nil
	}
	ran, err := w.runCanary(ctx, s, c, canary.Options{Only: fresh, Own: true}, h)
	if err != nil {
		return err
	}
	if ran.expect(passed); ran.sound() && len(ran.places) > 0 {
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("tests that must fail were reported in the work's new tests (places: %d)", len(ran.places))
	}
	return nil
}

// passedTests are the ids of the tests that passed, where the runner names them.
func passedTests(r loop.Result) ([]string, error) {
	if r.Tests.NamesFile == "" {
		return nil, nil
	}
	names, err := readNames(r.Tests)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(names.With(proof.TestPassed))), nil
}

// canaryRun is one run of a gate with canaries.
type canaryRun struct {
	// places have a canary; missing are those that were not reported.
	places, missing []canary.Place
	// failed are the ids of the tests that were reported as failed; forgiven are tests
	// of the project that were made to fail and are not among them.
	failed, forgiven []string
	// green: the gate's command ended with 0 all the same.
	green bool
	// swallowed is a place where canaries beside unchanged tests were not reported.
	swallowed string
}

// expect finds the tests that were made to fail and are not reported, among those
// that passed without.
func (c *canaryRun) expect(passed []string) {
	c.forgiven = slices.DeleteFunc(canary.Tests(c.places, passed), func(id string) bool { return slices.Contains(c.failed, id) })
}

// sound: every canary was reported, and the gate failed.
func (c *canaryRun) sound() bool {
	return len(c.missing)+len(c.forgiven) == 0 && !c.green && c.swallowed == ""
}

// only leaves out what was not reported on the base.
func (c *canaryRun) only(p proved) {
	other := func(at canary.Place) bool { return !slices.Contains(p.Places, at.At) }
	c.places, c.missing = slices.DeleteFunc(c.places, other), slices.DeleteFunc(c.missing, other)
	c.forgiven = slices.DeleteFunc(c.forgiven, func(id string) bool { return !slices.Contains(p.Tests, id) })
}

// canaryPlaces are canaries for a gate on a commit.
func (w *Worker) canaryPlaces(ctx context.Context, commit string, e evaluation, o canary.Options) ([]canary.Place, error) {
	ids, err := w.filesOf(ctx, commit, e)
	if err != nil {
		return nil, err
	}
	read := func(path string) ([]byte, error) { return w.Repo.Blob(ctx, ids[path]) }
	return canary.Places(slices.Collect(maps.Keys(ids)), read, word, o), ctx.Err()
}

// filesOf are the files of a commit where a gate runs, and their ids.
func (w *Worker) filesOf(ctx context.Context, commit string, e evaluation) (map[string]string, error) {
	files, err := w.files(ctx, commit)
	ids := map[string]string{}
	for _, f := range files {
		if inDir(f.Path, e.Gate.Dir) && strings.HasPrefix(f.Mode, "100") {
			ids[f.Path] = f.ID
		}
	}
	return ids, err
}

// runCanary runs the gate on a commit with canaries.
func (w *Worker) runCanary(ctx context.Context, s loop.State, e evaluation, o canary.Options, h *Hooks) (out canaryRun, err error) {
	if out.places, err = w.canaryPlaces(ctx, e.Commit, e, o); err != nil || len(out.places) == 0 {
		return out, err
	}
	var edits []git.Edit
	for _, p := range out.places {
		for _, f := range append(p.Edited, canary.File{Path: p.Path, Data: p.Data}) {
			edits = append(edits, git.Edit{Path: f.Path, Mode: "100644", Data: f.Data})
		}
	}
	if e.variant, err = w.Repo.Variant(ctx, e.Commit, edits); err != nil {
		return canaryRun{}, err
	}
	e.onFailed = func(ids []string) { out.failed = ids }
	r, err := w.evaluate(ctx, s, e, h)
	if err != nil {
		return canaryRun{}, err
	}
	out.green = r.ExitCode != nil && *r.ExitCode == 0
	out.missing = canary.Unreported(out.places, out.failed)
	return out, nil
}

func inDir(file, dir string) bool {
	return dir == "" || dir == "." || strings.HasPrefix(file, strings.TrimSuffix(filepath.ToSlash(dir), "/")+"/")
}

// proved is the file of the places whose canaries the base's runner reports.
type proved struct {
	Schema string   `json:"schema"`
	Base   string   `json:"base"`
	Places []string `json:"places"`
	// Tests are the ids of the base's own tests that are reported when they are made
	// to fail.
	Tests []string `json:"tests,omitempty"`
	Why   string   `json:"why,omitempty"`
}

const canarySchema = "ralph.canary/v1"

// provedPlaces returns what is reported on the base, which is run once for each gate,
// and once more where no canary is reported beside own tests that fail: a runner may
// stop at the first failure. Without a place, Why explains it.
func (w *Worker) provedPlaces(ctx context.Context, s loop.State, e evaluation, h *Hooks) (p proved, err error) {
	file := filepath.Join(w.Files.Attempt(0), "gates", engine.FileName(e.Gate.Name)+".canary.json")
	data, err := kept.ReadFile(file)
	if err == nil && json.Unmarshal(data, &p) == nil && p.Schema == canarySchema && p.Base == s.Base {
		return p, nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return proved{}, err
	}
	c := evaluation{Action: e.Action, name: "canary"}
	c.Commit, c.OnBase = s.Base, true
	for _, own := range []bool{true, false} {
		ran, err := w.runCanary(ctx, s, c, canary.Options{Own: own}, h)
		if err != nil {
			return proved{}, err
		}
		if ran, err = w.withoutUnloaded(ctx, s, c, ran, own, h); err != nil {
			return proved{}, err
		}
		if p = provedBy(ran); len(p.Places) > 0 || len(ran.places) == 0 {
			break
		}
	}
	p.Schema, p.Base = canarySchema, s.Base
	if data, err = json.Marshal(p); err == nil {
		err = durable.Write(file, data)
	}
	return p, err
}

// provedBy is what a run on the base proves.
func provedBy(c canaryRun) proved {
	p := proved{Places: reported(c)}
	switch {
	case len(c.places) == 0:
		p.Why = "the base has no tests into which ralph can put one"
	case c.green:
		p.Places, p.Why = nil, "the gate is green on the base with tests that must fail"
	case len(p.Places) == 0:
		p.Why = "the runner does not report it on the base, whose tests may not build"
	default:
		p.Tests = slices.Compact(slices.Sorted(slices.Values(canary.Tests(c.places, c.failed))))
	}
	return p
}

// names are the places of canaries, as a list for canary.Places.
func names(places []canary.Place) []string {
	var out []string
	for _, p := range places {
		out = append(out, p.At)
	}
	return out
}

// reported are the places of a run whose canaries were reported.
func reported(c canaryRun) []string {
	missing := names(c.missing)
	return slices.DeleteFunc(names(c.places), func(at string) bool { return slices.Contains(missing, at) })
}

// word returns a name that looks like one: nothing in the tree can know it.
func word() string {
	const consonants, vowels = "bdfgklmnprstv", "aeiou"
	random := make([]byte, 12)
	_, _ = rand.Read(random)
	var b strings.Builder
	for i, r := range random {
		set := consonants
		if i%2 == 1 {
			set = vowels
		}
		b.WriteByte(set[int(r)%len(set)])
	}
	return b.String()
}
