//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// strange is what package migrate makes of a loop that ended elsewhere.
func strange(id string) loop.State {
	st := failing(id)
	st.Status, st.Reason, st.Step, st.Message = loop.StatusFailed, loop.Imported, loop.StepDone, "failed in another runner"
	st.EndedAt = st.LastAt
	return st
}

// halted is one that can go on here.
func halted(id string) loop.State {
	st := failing(id)
	st.Status, st.Step, st.Message = loop.Paused, loop.StepSetup, "brought along"
	return st
}

func TestImportAnEndedLoop(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	ctx := t.Context()
	im := Import{Source: ".aiwg/ralph/loops/a/state.json", SHA256: "aa", State: strange("a")}
	done, err := s.Import(ctx, im)
	must(t, err)
	if want := (Imported{LoopID: "a", At: clock()}); done != want {
		t.Errorf("got %+v, want %+v", done, want)
	}
	r, err := s.Read(ctx, "a")
	must(t, err)
	if diff := cmp.Diff(im.State, r.State); diff != "" {
		t.Errorf("the state (-want +got):\n%s", diff)
	}
	if r.Live || r.Crashed || r.Seq != 1 || r.Epoch != 0 {
		t.Errorf("%+v", r)
	}
	golden(t, "imported.jsonl", read(t, views, "log.jsonl"))
	if got := read(t, views, "registry.json"); !strings.Contains(got, `"total_failed": 1`) || !strings.Contains(got, `"total_active": 0`) {
		t.Error(got)
	}
	found, err := s.Problems(ctx)
	must(t, err)
	if len(found) > 0 || s.ViewError() != nil {
		t.Error(found, s.ViewError())
	}
}

func TestAnImportedLoopIsTakenUp(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	ctx := t.Context()
	_, err := s.Import(ctx, Import{Source: "x", State: halted("a")})
	must(t, err)
	l, err := s.AcquireToRun(ctx, "a", false, Admission{Max: 1})
	must(t, err)
	defer l.Release(ctx)
	if l.Epoch() != 1 || l.Seq() != 1 {
		t.Errorf("epoch %d, seq %d", l.Epoch(), l.Seq())
	}
	st, err := loop.Apply(l.State(), loop.Resumed{Stamp: loop.Stamp{At: clock()}})
	must(t, err)
	must(t, l.Commit(ctx, st, []loop.Event{loop.Resumed{Stamp: loop.Stamp{At: clock()}}}))
}

func TestASourceIsImportedOnce(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	ctx := t.Context()
	_, err := s.Import(ctx, Import{Source: "x", SHA256: "1", State: strange("a")})
	must(t, err)
	before := read(t, views, "log.jsonl")
	for sha, changed := range map[string]bool{"1": false, "2": true} {
		got, err := s.Import(ctx, Import{Source: "x", SHA256: sha, State: strange("b")})
		must(t, err)
		if want := (Imported{LoopID: "a", At: clock(), Already: true, Changed: changed}); got != want {
			t.Errorf("sha %s: got %+v, want %+v", sha, got, want)
		}
		seen, err := s.WasImported(ctx, "x", sha)
		must(t, err)
		if seen != got {
			t.Errorf("WasImported: %+v", seen)
		}
	}
	if _, err := s.Read(ctx, "b"); !errors.Is(err, ErrNoLoop) {
		t.Error(err)
	}
	if read(t, views, "log.jsonl") != before {
		t.Error("a second import said something on the bus")
	}
	must(t, s.Archive(ctx, "a"))
	must(t, s.Remove(ctx, "a"))
	got, err := s.Import(ctx, Import{Source: "x", SHA256: "1", State: strange("a")})
	must(t, err)
	if !got.Already || got.LoopID != "" {
		t.Errorf("after the loop was removed: %+v", got)
	}
}

func TestARefusedImportLeavesNothing(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	ctx := t.Context()
	must(t, create(t, s, "taken").Release(ctx))
	running := strange("r")
	running.Status = loop.Running
	for name, c := range map[string]struct {
		st   loop.State
		want error
	}{
		"taken": {strange("taken"), ErrExists}, "running": {running, errUnfinished}, "hostile": {strange("../x"), nil},
	} {
		_, err := s.Import(ctx, Import{Source: name, State: c.st})
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := s.WasImported(ctx, name, ""); err != nil || got.Already {
			t.Errorf("%s was noted: %+v %v", name, got, err)
		}
	}
	onlyLoops(t, s, dir, 1)
}

func TestImportTotals(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	ctx := t.Context()
	for range 2 {
		_, err := s.ImportTotals(ctx, "registry.json", "1", Totals{Passed: 15, Failed: -1, Aborted: 3})
		must(t, err)
	}
	for _, want := range []string{`"total_completed": 15`, `"total_failed": 0`, `"total_aborted": 3`} {
		if got := read(t, views, "registry.json"); !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

func TestUnimported(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	ctx := t.Context()
	must(t, s.NoteImport(ctx, ".aiwg/ralph-external"))
	_, err := s.Import(ctx, Import{Source: ".agileflow/sessions/agent-loops/a.json", State: strange("a")})
	must(t, err)
	ask := []string{".aiwg/ralph", ".aiwg/ralph-external", ".agileflow/sessions/agent-loops", ".ralph_state.md"}
	got, err := s.Unimported(ctx, ask)
	must(t, err)
	if diff := cmp.Diff([]string{".aiwg/ralph", ".ralph_state.md"}, got); diff != "" {
		t.Error(diff)
	}
	reader := openTest(t, filepath.Join(dir, "nowhere"), Options{ReadOnly: true})
	if got, err := reader.Unimported(ctx, ask); err != nil || len(got) != len(ask) {
		t.Error(got, err)
	}
}

// TestTwoImportEverything: each source ends up in one loop, whoever was first.
func TestTwoImportEverything(t *testing.T) {
	t.Parallel()
	_, dir := fresh(t)
	const n = 20
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			s, err := Open(context.Background(), dir, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			for i := range n {
				if _, err := s.Import(context.Background(), Import{Source: fmt.Sprint(i), State: strange(fmt.Sprint("l", i))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	s := openTest(t, dir, Options{})
	onlyLoops(t, s, dir, n)
}
