package worker

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/gate/canary"
	"ralph/internal/git"
	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/proof/ratchet"
	"ralph/internal/scope"
)

// unloaded are the places of tests that a run of a gate on a commit could not build or
// load, by the failures that it named, and the rest of its places.
func (w *Worker) unloaded(ctx context.Context, commit string, e evaluation, failing []string) (unloaded, rest []canary.Place, err error) {
	files, err := w.filesOf(ctx, commit, e)
	if err != nil {
		return nil, nil, err
	}
	module, err := w.goModule(ctx, files["go.mod"])
	if err != nil {
		return nil, nil, err
	}
	sites := canary.Sites(slices.Sorted(maps.Keys(files)), module)
	not := canary.Unloaded(sites, failing)
	for _, p := range sites {
		if slices.Contains(not, p.At) {
			unloaded = append(unloaded, p)
		} else {
			rest = append(rest, p)
		}
	}
	return unloaded, rest, nil
}

// goModule returns the name of the module in a go.mod; empty without one.
func (w *Worker) goModule(ctx context.Context, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	text, err := w.dataOf(ctx, id)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
			return strings.Trim(words[1], "\"`"), nil
		}
	}
	return "", nil
}

// idle takes the pass from a gate in which tests of the base that could not be loaded
// there do not count: their names are unknown on the base, so that the ratchet
// misses none of them. It returns those of which the run with the work says nothing.
func (w *Worker) idle(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) (unseen []string, err error) {
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	if before == nil || before.Tests == nil || r.Tests.NamesFile == "" {
		return nil, nil
	}
	unloaded, _, err := w.unloaded(ctx, s.Base, e, before.Tests.Failing)
	if err != nil || len(unloaded) == 0 {
		return nil, err
	}
	places, err := w.canaryPlaces(ctx, s.Base, e, canary.Options{Only: names(unloaded), Own: true})
	if err != nil {
		return nil, err
	}
	named, err := namesIn(r.Gate, r.Tests)
	if err != nil {
		return nil, err
	}
	passed, skipped := idsWith(named, ratchet.TestPassed), idsWith(named, ratchet.TestSkipped)
	if r.Tests.Skipped > len(skipped) {
		more, err := w.skipped(ctx, s, e, r.Tests.Skipped, h)
		if err != nil {
			return nil, err
		}
		skipped = append(skipped, more...)
	}
	for _, p := range places {
		if mayChange(s, p) {
			continue
		}
		if why := p.Idle(passed, skipped); why != "" {
			lose(r, why+": tests that did not load before the work must run and pass with it; a skipped test has not passed")
			return nil, nil
		}
		for _, name := range p.Unseen(passed, skipped) {
			unseen = append(unseen, p.At+" "+name)
		}
	}
	return unseen, nil
}

// skipped are the tests that one more run of the gate skips, for a runner that names them
// only there (pytest). Where that run skips fewer than the verdict's, every test that it
// names may have been skipped.
func (w *Worker) skipped(ctx context.Context, s loop.State, e evaluation, before int, h *Hooks) ([]string, error) {
	again := e.rerun("skipped")
	again.nameSkipped = true
	r, err := w.runGate(ctx, s, again, h)
	if err != nil {
		return nil, err
	}
	named, err := namesIn(r.Gate, r.Tests)
	if err != nil || named == nil {
		return nil, err
	}
	ids := idsWith(named, ratchet.TestSkipped)
	if len(ids) < before {
		ids = append(ids, idsWith(named, ratchet.TestPassed)...)
	}
	return ids, nil
}

// mostRounds bounds the runs that find which files do not load: a runner may stop at the
// first of them.
const mostRounds = 5

// loadable returns the tests that a gate runs on a commit where files of tests do not
// load, so that the runner ran none at all: with these files empty it names the others.
// again is the run, failing what the commit as it is was seen to fail. Nil where there is
// no other test. What it finds is kept.
func (w *Worker) loadable(ctx context.Context, s loop.State, again evaluation, failing []string, h *Hooks) (found ratchet.Names, err error) {
	file := w.names(again)
	if data, err := kept.ReadFile(file); err == nil {
		return ratchet.DecodeNames(data)
	}
	var empty []git.Edit
	ran := false
	for range mostRounds {
		unloaded, rest, err := w.unloaded(ctx, again.Commit, again, failing)
		if err != nil {
			return nil, err
		}
		for _, p := range unloaded {
			// A package of Go keeps no other from being tested.
			if ext := path.Ext(p.Path); ext != ".go" && slices.ContainsFunc(rest, func(r canary.Place) bool { return path.Ext(r.Path) == ext }) {
				empty = append(empty, git.Edit{Path: p.Path, Mode: "100644"})
			}
		}
		if len(unloaded) == 0 || len(empty) == 0 {
			if !ran {
				return nil, nil
			}
			break
		}
		done, err := w.edit(ctx, &again, empty)
		if err != nil {
			return nil, err
		}
		ran = true
		r, err := w.runGate(ctx, s, again, h)
		done()
		if err != nil {
			return nil, err
		}
		if r.Tests == nil || r.Tests.NamesFile != "" {
			break
		}
		failing = r.Tests.Failing
	}
	data, err := kept.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		data, err = ratchet.EncodeNames(nil)
		if err == nil {
			err = durable.Write(file, data)
		}
	}
	if err != nil {
		return nil, err
	}
	return ratchet.DecodeNames(data)
}

// mayChange reports whether people permit the work to change tests of a place.
func mayChange(s loop.State, p canary.Place) bool {
	return slices.ContainsFunc(append(p.Edited, canary.File{Path: p.Path}), func(f canary.File) bool { return scope.Match(s.MayChange, f.Path) })
}

// withoutUnloaded returns a run on the base again with canaries in place of the tests
// that could not be loaded, since these say nothing about the runner. A run in
// which all were loaded is returned as it is.
func (w *Worker) withoutUnloaded(ctx context.Context, s loop.State, e evaluation, ran canaryRun, own bool, h *Hooks) (canaryRun, error) {
	bare := canary.Unloaded(ran.missing, ran.failed)
	if len(bare) == 0 {
		return ran, nil
	}
	again, err := w.runCanary(ctx, s, e, canary.Options{Own: own, Bare: bare}, h)
	if err != nil || len(reported(again)) < len(reported(ran)) {
		return ran, err
	}
	return again, nil
}
