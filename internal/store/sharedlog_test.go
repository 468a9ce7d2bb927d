//go:build unix

package store

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const busName = "docs/09-agents/bus/log.jsonl"

// bused is a store whose bus is a file of the tree.
func bused(t *testing.T) (s *Store, tree, bus string) {
	t.Helper()
	tree = t.TempDir()
	s = openTest(t, filepath.Join(tree, ".git", "ralph"), busOptions(tree))
	return s, tree, filepath.Join(tree, filepath.FromSlash(busName))
}

func busOptions(tree string) Options {
	return Options{Views: filepath.Join(tree, ".ralph"), Bus: busName, Now: clock, Owner: "test"}
}

// ours are the positions of ralph's lines on a bus, in order.
func ours(t *testing.T, bus string) (out []int64) {
	t.Helper()
	for line := range strings.Lines(read(t, bus)) {
		if pos := ownPos([]byte(line)); pos > 0 {
			out = append(out, pos)
		}
	}
	return out
}

func upTo(n int64) (out []int64) {
	for i := range n {
		out = append(out, i+1)
	}
	return out
}

// TestSharedBus: between the lines of others each event stands once, and no byte
// of theirs is changed.
func TestSharedBus(t *testing.T) {
	t.Parallel()
	s, tree, bus := bused(t)
	ctx := t.Context()
	must(t, os.MkdirAll(filepath.Dir(bus), 0o755))
	theirs := []string{
		`{"type":"status","from":"other","text":"hello \"pos\":7"}`,
		`{"type":"agent_loop","event":"init","loop_id":"abc","pos":99}`,
		"no JSON at all \"pos\": 5",
	}
	must(t, os.WriteFile(bus, []byte(theirs[0]+"\n"), 0o644))
	l := create(t, s, "a")
	must(t, tick(ctx, l))
	appendTo(t, bus, theirs[1]+"\n")
	must(t, tick(ctx, l))
	appendTo(t, bus, theirs[2]) // its writer is not done yet
	must(t, tick(ctx, l))
	must(t, l.Release(ctx))
	must(t, s.ViewError())
	if diff := cmp.Diff(upTo(4), ours(t, bus)); diff != "" {
		t.Error(diff)
	}
	text := read(t, bus)
	for _, line := range theirs {
		if strings.Count(text, line+"\n") != 1 {
			t.Errorf("%s is not there once:\n%s", line, text)
		}
	}
	if _, err := os.Lstat(filepath.Join(tree, ".ralph", logName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a log among the views too: %v", err)
	}
	if problems, err := s.Problems(ctx); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	must(t, s.RebuildViews(ctx))
	if got := read(t, bus); got != text {
		t.Error("a rebuild wrote the bus of others again")
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = f.WriteString(text)
	must(t, errors.Join(err, f.Close()))
}

// TestSharedBusFarBehind: however much others wrote meanwhile, no event is lost
// or told twice.
func TestSharedBusFarBehind(t *testing.T) {
	t.Parallel()
	s, _, bus := bused(t)
	ctx := t.Context()
	l := create(t, s, "a")
	defer l.Release(ctx)
	appendTo(t, bus, strings.Repeat(`{"type":"other","text":"`+strings.Repeat("x", 1000)+`"}`+"\n", 300))
	must(t, tick(ctx, l))
	appendTo(t, bus, strings.Repeat("y", 3*tailSize))
	must(t, tick(ctx, l))
	if diff := cmp.Diff(upTo(3), ours(t, bus)); diff != "" {
		t.Error(diff)
	}
}

// TestTwoWritersOnASharedBus: every event stands once and in order.
func TestTwoWritersOnASharedBus(t *testing.T) {
	t.Parallel()
	s, tree, bus := bused(t)
	other := openTest(t, s.dir, busOptions(tree))
	const n = 20
	var group sync.WaitGroup
	for id, s := range map[string]*Store{"a": s, "b": other} {
		group.Go(func() {
			l, err := s.Create(context.Background(), newState(id), Admission{})
			for range n {
				if err == nil {
					err = tick(context.Background(), l)
				}
			}
			if err == nil {
				err = l.Release(context.Background())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if diff := cmp.Diff(upTo(2*(n+1)), ours(t, bus)); diff != "" {
		t.Error(diff)
	}
}

// TestSharedBusTorn: a line of ours that was cut off is closed and written again.
func TestSharedBusTorn(t *testing.T) {
	t.Parallel()
	s, _, bus := bused(t)
	ctx := t.Context()
	l := create(t, s, "a")
	defer l.Release(ctx)
	must(t, tick(ctx, l))
	text := read(t, bus)
	must(t, os.Truncate(bus, int64(len(text)-10)))
	must(t, tick(ctx, l))
	if diff := cmp.Diff(upTo(3), ours(t, bus)); diff != "" {
		t.Errorf("%s\n%s", diff, read(t, bus))
	}
}

// TestABusThatIsRefused: nothing is written through a link or into something
// else, the views are there all the same, and the doctor hears of it.
func TestABusThatIsRefused(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(tree, bus string) error{
		"link":       func(tree, bus string) error { return os.Symlink(filepath.Join(tree, "..", "victim"), bus) },
		"link in it": func(tree, bus string) error { return os.Symlink("../../../inside", bus) },
		"folder":     func(_, bus string) error { return os.Mkdir(bus, 0o755) },
		"pipe":       func(_, bus string) error { return syscall.Mkfifo(bus, 0o600) },
		"linked folder": func(tree, bus string) error {
			if err := os.Remove(filepath.Dir(bus)); err != nil {
				return err
			}
			return os.Symlink(t.TempDir(), filepath.Dir(bus))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, tree, bus := bused(t)
			must(t, os.MkdirAll(filepath.Dir(bus), 0o755))
			must(t, plant(tree, bus))
			ctx := t.Context()
			l := create(t, s, "a")
			defer l.Release(ctx)
			if err := s.ViewError(); err == nil || !strings.Contains(err.Error(), "not safe") {
				t.Errorf("the error is %v", err)
			}
			if got := positions(t, filepath.Join(tree, ".ralph")); len(got) != 1 {
				t.Errorf("events among the views: %v", got)
			}
			var v registryView
			must(t, json.Unmarshal([]byte(read(t, tree, ".ralph", "registry.json")), &v))
			if v.TotalActive != 1 {
				t.Errorf("%+v", v)
			}
			for _, gone := range []string{filepath.Join(tree, "..", "victim"), filepath.Join(tree, "inside")} {
				if _, err := os.Lstat(gone); err == nil {
					t.Errorf("%s was written", gone)
				}
			}
			problems, err := s.Problems(ctx)
			if err != nil || len(problems) != 1 || problems[0].Path != bus {
				t.Errorf("problems: %v, %v", problems, err)
			}
		})
	}
}

func FuzzOwnIn(f *testing.F) {
	f.Add([]byte(`{"type":"agent_loop","event":"x","epoch":1,"pos":3}`+"\n"), true)
	f.Add([]byte("\n\n{\"pos\":"), false)
	f.Fuzz(func(t *testing.T, text []byte, all bool) {
		if pos := ownIn(text, all); pos < 0 {
			t.Errorf("%d", pos)
		}
	})
}
