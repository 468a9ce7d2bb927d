package worker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/gate/canary"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// probe takes the pass from a gate whose runner does not report tests that must
// fail. It runs once a verdict, when everything else of the gate passed. A merge
// needs none: both of its sides had theirs.
func (w *Worker) probe(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	if e.OnBase || e.landing || r.Verdict != loop.Passed || e.pass+1 < s.Limits.ConfirmPasses {
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
	of, err := w.canaryPlaces(ctx, s.Base, e, nil)
	if err != nil {
		return err
	}
	if len(of) == 0 {
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "the base has no tests into which ralph can put one"
		return nil
	}
	return w.tryCanary(ctx, s, e, names(of), r, h)
}

// tryCanary runs the gate on the commit with canaries in the places of the base. It
// accuses only of those that the runner of the base was seen to report, and that a
// second run with new ones does not report either.
func (w *Worker) tryCanary(ctx context.Context, s loop.State, e evaluation, of []string, r *loop.Result, h *Hooks) error {
	c := evaluation{Action: e.Action, name: "canary", attempt: e.attempt, pass: e.pass}
	ran, err := w.runCanary(ctx, s, c, of, h)
	if err != nil {
		return err
	}
	if len(ran.places) == 0 {
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "none of the files of tests that the base has is left"
		return nil
	}
	if !ran.sound() {
		proved, why, err := w.provedPlaces(ctx, s, e, h)
		if err != nil {
			return err
		}
		if len(proved) == 0 {
			r.Canary, r.CanaryWhy = loop.CanaryUnknown, why
			return nil
		}
		if ran.only(proved); !ran.sound() {
			if ran, err = w.runCanary(ctx, s, c, proved, h); err != nil {
				return err
			}
		}
	}
	switch {
	case len(ran.places) == 0:
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "none of the files of tests in which the base reports one is left"
	case ran.sound():
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("tests that must fail were reported in %d of %d places", len(ran.places), len(of))
	default:
		r.Canary, r.CanaryWhy = loop.CanarySwallowed, "the gate is green with tests that must fail"
		if len(ran.missing) > 0 {
			r.CanaryWhy = "tests that must fail are not reported as failed in " + ran.missing[0].At
		}
		lose(r, "the test runner no longer reports failures: "+r.CanaryWhy)
	}
	return nil
}

// canaryRun is one run of a gate with canaries.
type canaryRun struct {
	// places have a canary; missing are those that were not reported.
	places, missing []canary.Place
	// green: the gate's command ended with 0 all the same.
	green bool
}

// sound: every canary was reported, and the gate failed.
func (c *canaryRun) sound() bool { return len(c.missing) == 0 && !c.green }

// only leaves out the places that are not among some.
func (c *canaryRun) only(some []string) {
	other := func(p canary.Place) bool { return !slices.Contains(some, p.At) }
	c.places, c.missing = slices.DeleteFunc(c.places, other), slices.DeleteFunc(c.missing, other)
}

// canaryPlaces are canaries for a gate on a commit; only is as in canary.Places.
func (w *Worker) canaryPlaces(ctx context.Context, commit string, e evaluation, only []string) ([]canary.Place, error) {
	files, err := w.files(ctx, commit)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for _, f := range files {
		if inDir(f.Path, e.Gate.Dir) && strings.HasPrefix(f.Mode, "100") {
			ids[f.Path] = f.ID
		}
	}
	read := func(path string) ([]byte, error) { return w.Repo.Blob(ctx, ids[path]) }
	return canary.Places(slices.Collect(maps.Keys(ids)), read, word, only), ctx.Err()
}

// runCanary runs the gate on a commit with canaries; only is as in canary.Places.
func (w *Worker) runCanary(ctx context.Context, s loop.State, e evaluation, only []string, h *Hooks) (out canaryRun, err error) {
	if out.places, err = w.canaryPlaces(ctx, e.Commit, e, only); err != nil || len(out.places) == 0 {
		return out, err
	}
	var edits []git.Edit
	for _, p := range out.places {
		edits = append(edits, git.Edit{Path: p.Path, Mode: "100644", Data: p.Data})
	}
	if e.variant, err = w.Repo.Variant(ctx, e.Commit, edits); err != nil {
		return canaryRun{}, err
	}
	var failed []string
	e.onFailed = func(ids []string) { failed = ids }
	r, err := w.evaluate(ctx, s, e, h)
	if err != nil {
		return canaryRun{}, err
	}
	out.green = r.ExitCode != nil && *r.ExitCode == 0
	out.missing = canary.Unreported(out.places, failed)
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
	Why    string   `json:"why,omitempty"`
}

const canarySchema = "ralph.canary/v1"

// provedPlaces returns the places whose canaries are reported on the base, which is
// run once for each gate. Without one, why explains it.
func (w *Worker) provedPlaces(ctx context.Context, s loop.State, e evaluation, h *Hooks) (places []string, why string, err error) {
	file := filepath.Join(w.Files.Attempt(0), "gates", engine.FileName(e.Gate.Name)+".canary.json")
	var p proved
	data, err := os.ReadFile(file)
	if err == nil && json.Unmarshal(data, &p) == nil && p.Schema == canarySchema && p.Base == s.Base {
		return p.Places, p.Why, nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, "", err
	}
	c := evaluation{Action: e.Action, name: "canary"}
	c.Commit, c.OnBase = s.Base, true
	ran, err := w.runCanary(ctx, s, c, nil, h)
	if err != nil {
		return nil, "", err
	}
	p = proved{Schema: canarySchema, Base: s.Base, Places: reported(ran)}
	switch {
	case len(ran.places) == 0:
		p.Why = "the base has no tests into which ralph can put one"
	case ran.green:
		p.Places, p.Why = nil, "the gate is green on the base with tests that must fail"
	case len(p.Places) == 0:
		p.Why = "the runner does not report it on the base, whose tests may not build"
	}
	if data, err = json.Marshal(p); err == nil {
		err = WriteDurably(file, data)
	}
	return p.Places, p.Why, err
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
