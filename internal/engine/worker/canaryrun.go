package worker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/gate/canary"
	"ralph/internal/git"
	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/proof/syntax"
)

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

// accusation is what a run that is not sound shows, and for what the work fails.
func (c *canaryRun) accusation() (why, reason string) {
	other := canary.Expecting(c.places, c.forgiven)
	switch {
	case c.swallowed != "":
		why = "failing tests that ralph added are not reported as failed in " + c.swallowed + ", beside unchanged tests of the project"
	case len(c.missing) > 0:
		why = "failing tests that ralph added are not reported as failed in " + c.missing[0].At
	case len(other) > 0: // its runner may be as it was
		why = "a test passes although ralph changed the value that it expects: " + other[0]
		return why, why
	case len(c.forgiven) > 0:
		why = "a test that ralph made fail is not reported as failed: " + c.forgiven[0]
	default:
		why = "the gate is green although ralph added failing tests"
	}
	return why, "the test runner no longer reports failures: " + why
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
	files := slices.Collect(maps.Keys(ids))
	var ahead []string
	for _, f := range append(canary.TestFiles(files), o.Work...) {
		ahead = append(ahead, ids[f])
	}
	if err := w.readAhead(ctx, ahead); err != nil {
		return nil, err
	}
	return canary.Places(files, func(path string) ([]byte, error) { return w.dataOf(ctx, ids[path]) }, word, o)
}

// filesOf are the files of a commit where a gate runs, those of a hidden gate over them, and
// their ids.
func (w *Worker) filesOf(ctx context.Context, commit string, e evaluation) (map[string]string, error) {
	files, err := w.files(ctx, commit)
	ids := map[string]string{}
	for _, f := range files {
		if inDir(f.Path, e.Gate.Dir) && strings.HasPrefix(f.Mode, "100") {
			ids[f.Path] = f.ID
		}
	}
	if err != nil {
		return nil, err
	}
	return ids, w.cover(ctx, *e.Gate, ids)
}

// runCanary runs the gate on a commit with canaries.
func (w *Worker) runCanary(ctx context.Context, s loop.State, e evaluation, o canary.Options, h *Hooks) (out canaryRun, err error) {
	if out.places, err = w.canaryPlaces(ctx, e.Commit, e, o); err != nil || len(out.places) == 0 {
		return out, err
	}
	var edits []git.Edit
	for _, p := range out.places {
		for _, f := range append(p.Edited, canary.File{Path: p.Path, Data: p.Data}) {
			edits = append(edits, git.Edit{Path: f.Path, Mode: "100644", Data: syntax.Unlinted(f.Path, f.Data)})
		}
	}
	done, err := w.edit(ctx, &e, edits)
	if err != nil {
		return canaryRun{}, err
	}
	defer done()
	e.onFailed = func(ids []string) { out.failed = canary.WithParents(ids) }
	r, err := w.runGate(ctx, s, e, h)
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
	// to fail; without a place they are all that the gate runs.
	Tests []string `json:"tests,omitempty"`
	Why   string   `json:"why,omitempty"`
}

// left are the base's own tests that are reported when they fail, and passed with the work.
func (p proved) left(passed []string) []string {
	return slices.DeleteFunc(slices.Clone(p.Tests), func(id string) bool { return !slices.Contains(passed, id) })
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
	c := e.rerunOn(s.Base, "canary")
	var failed []string
	for _, own := range []bool{true, false} {
		ran, err := w.runCanary(ctx, s, c, canary.Options{Own: own}, h)
		if err != nil {
			return proved{}, err
		}
		if ran, err = w.withoutUnloaded(ctx, s, c, ran, own, h); err != nil {
			return proved{}, err
		}
		p = provedBy(ran)
		if own {
			failed = p.Tests
		}
		if len(p.Places) > 0 || len(ran.places) == 0 {
			break
		}
	}
	if len(p.Places) == 0 { // the command may choose tests by their names
		p.Tests = failed
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
		p.Why = "the base has no test file to which ralph can add a failing test"
	case c.green:
		p.Places, p.Why = nil, "the gate is green on the base although ralph added failing tests"
	default:
		p.Tests = slices.Compact(slices.Sorted(slices.Values(canary.Tests(c.places, c.failed))))
		if len(p.Places) == 0 {
			p.Why = "on the base the runner does not report a failing test that ralph added: its tests may not build, or another tool in its command fails first"
		}
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
