package team

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/kept"
	"ralph/internal/loop"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, dir, name, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, name))
	if want == "" && errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil || string(got) != want {
		t.Errorf("%s: %q, want %q, %v", name, got, want, err)
	}
}

// TestFiles: what a loop left on one machine is there on another, also what changed; a
// former owner replaces nothing, and records of processes stay where they are.
func TestFiles(t *testing.T) {
	t.Parallel()
	shared, one, two, three := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	of := func() *Files { return &Files{In: Folder(shared), Project: "p"} }
	old, now := of(), of()
	write(t, filepath.Join(one, "attempts/001/agent.txt"), "first")
	write(t, filepath.Join(one, "attempts/001/gates/tests.log"), "red")
	write(t, filepath.Join(one, "attempts/001/runs/agent-1/process"), "1234")
	write(t, filepath.Join(one, "owner.lock"), "")
	ok(t, old.Put(t.Context(), Run{ID: "a"}, 1, one))
	ok(t, now.Get(t.Context(), Run{ID: "a"}, two))
	has(t, two, "attempts/001/agent.txt", "first")
	has(t, two, "attempts/001/runs/agent-1/process", "")
	has(t, two, "owner.lock", "")

	write(t, filepath.Join(two, "attempts/001/agent.txt"), "first, and more")
	write(t, filepath.Join(two, "attempts/002/agent.txt"), "second")
	ok(t, now.Put(t.Context(), Run{ID: "a"}, 2, two))
	write(t, filepath.Join(one, "attempts/002/agent.txt"), "of a former owner")
	ok(t, old.Put(t.Context(), Run{ID: "a"}, 1, one))
	ok(t, of().Get(t.Context(), Run{ID: "a"}, three))
	has(t, three, "attempts/001/agent.txt", "first, and more")
	has(t, three, "attempts/002/agent.txt", "second")
	has(t, three, "attempts/001/gates/tests.log", "red")
	ok(t, of().Get(t.Context(), Run{ID: "unknown"}, t.TempDir()))
	ok(t, (&Files{}).Put(t.Context(), Run{ID: "a"}, 1, one))
}

// TestFilesOfAPlan: what reviews, gates and authors wrote for a plan is there on another
// machine, beside the files of a loop of its name.
func TestFilesOfAPlan(t *testing.T) {
	t.Parallel()
	shared, one, two := t.TempDir(), t.TempDir(), t.TempDir()
	f, p := &Files{In: Folder(shared), Project: "p"}, Run{"a", true}
	travel := []string{"agreed/a-1.md", "evidence/0123.json", "reviews/plan-0123/review.json", "reviews/plan-0123/1-1/prompt.md", "reviews/a-1/1-1.2/answer.txt"}
	stay := []string{"owner.lock", "plan", "file/plan.md", "reviews/plan-0123/1-1/run/process", "attempts/001/agent.txt", "memory.json"}
	for _, name := range append(travel, stay...) {
		write(t, filepath.Join(one, name), name)
	}
	ok(t, f.Put(t.Context(), p, 1, one))
	ok(t, f.Get(t.Context(), p, two))
	for _, name := range travel {
		has(t, two, name, name)
	}
	for _, name := range stay {
		has(t, two, name, "")
	}
	ok(t, f.Get(t.Context(), Run{ID: "a"}, two))
	write(t, Folder(shared).path(f.key(p, listName{2, 1})), `{"file/plan.md": {"sha256": "`+digest+`"}}`)
	if err := f.Get(t.Context(), p, two); err == nil {
		t.Error("a list with a file that belongs to the machine was accepted")
	}
}

// TestForeignFiles: a list or content that is not what a worker wrote is refused, and
// nothing is written outside of the loop's directory.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, path func(key string) string, f *Files){
		"a path that leaves": func(t *testing.T, path func(key string) string, f *Files) {
			write(t, path(f.key(Run{ID: "a"}, listName{2, 1})), `{"attempts/../../x": {"sha256": "`+digest+`"}}`)
		},
		"a path of no attempt": func(t *testing.T, path func(key string) string, f *Files) {
			write(t, path(f.key(Run{ID: "a"}, listName{2, 1})), `{"owner.lock": {"sha256": "`+digest+`"}}`)
		},
		"no digest": func(t *testing.T, path func(key string) string, f *Files) {
			write(t, path(f.key(Run{ID: "a"}, listName{2, 1})), `{"attempts/001/x": {"sha256": "../../x"}}`)
		},
		"other content": func(t *testing.T, path func(key string) string, f *Files) { write(t, path(blob(digest)), "changed") },
		"no list": func(t *testing.T, path func(key string) string, f *Files) {
			write(t, path(f.key(Run{ID: "a"}, listName{2, 1})), `[`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shared, from, to := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "loops", "a")
			f := &Files{In: Folder(shared), Project: "p"}
			write(t, filepath.Join(from, "attempts/001/agent.txt"), "text")
			ok(t, f.Put(t.Context(), Run{ID: "a"}, 1, from))
			spoil(t, Folder(shared).path, f)
			if err := f.Get(t.Context(), Run{ID: "a"}, to); err == nil {
				t.Error("it was accepted")
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(to), "x")); err == nil {
				t.Error("a file was written outside of the directory")
			}
		})
	}
}

// digest is that of "text".
const digest = "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"

// TestFilesOfAnEndedLoop: what was packed when a loop ended is published where it moves to
// the team.
func TestFilesOfAnEndedLoop(t *testing.T) {
	t.Parallel()
	shared, one, two := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(one, "attempts/001/agent.txt"), "first")
	write(t, filepath.Join(one, "attempts/001/runs/agent-1/process"), "1234")
	write(t, filepath.Join(one, "memory.json"), "{}")
	ok(t, kept.Pack(one, "attempts"))
	ok(t, (&Files{In: Folder(shared), Project: "p"}).PutWhole(t.Context(), Run{ID: "a"}, 1, one))
	ok(t, (&Files{In: Folder(shared), Project: "p"}).Get(t.Context(), Run{ID: "a"}, two))
	has(t, two, "attempts/001/agent.txt", "first")
	has(t, two, "attempts/001/runs/agent-1/process", "")
	has(t, two, "memory.json", "{}")
	ok(t, (&Files{}).PutWhole(t.Context(), Run{ID: "a"}, 1, one))
}

// counted is a folder, how many files the longest list has that was written to it, and how many
// objects were read.
type counted struct {
	Folder
	list  int
	reads atomic.Int64
}

func (c *counted) Read(ctx context.Context, key string) ([]byte, error) {
	c.reads.Add(1)
	return c.Folder.Read(ctx, key)
}

func (c *counted) Write(ctx context.Context, key string, content io.Reader) error {
	if strings.HasSuffix(key, ".json") {
		data, err := io.ReadAll(content)
		var list map[string]sentFile
		if err = errors.Join(err, json.Unmarshal(data, &list)); err != nil {
			return err
		}
		c.list, content = max(c.list, len(list)), bytes.NewReader(data)
	}
	return c.Folder.Write(ctx, key, content)
}

// TestFilesOfALongLoop: what is published of an attempt does not grow with their number, and
// another machine gets the files of all, as they were last.
func TestFilesOfALongLoop(t *testing.T) {
	t.Parallel()
	one, two, run := t.TempDir(), t.TempDir(), Run{ID: "a"}
	shared := &counted{Folder: Folder(t.TempDir())}
	f := &Files{In: shared, Project: "p"}
	const attempts, perAttempt = 60, 5
	for n := range attempts {
		attempt := engine.Layout{}.Attempt(n)
		for i := range perAttempt {
			write(t, filepath.Join(one, attempt, fmt.Sprint(i)), fmt.Sprint(n, i))
		}
		ok(t, f.Put(t.Context(), run, 2, one, "memory.json", attempt))
		write(t, filepath.Join(one, "memory.json"), fmt.Sprint("after ", n))
		ok(t, f.Put(t.Context(), run, 2, one, writtenBy(stored.Publication[loop.State, loop.Event]{
			Before: loop.State{Iteration: n}, Next: loop.State{Iteration: n + 1},
		})...))
	}
	if shared.list > mostListed {
		t.Errorf("a list has %d files of %d", shared.list, attempts*perAttempt)
	}
	ok(t, (&Files{In: shared, Project: "p"}).Get(t.Context(), run, two))
	for n := range attempts {
		has(t, two, filepath.Join(engine.Layout{}.Attempt(n), "4"), fmt.Sprint(n, 4))
	}
	has(t, two, "memory.json", fmt.Sprint("after ", attempts-1))

	write(t, filepath.Join(one, "memory.json"), "at the end")
	ok(t, f.Put(t.Context(), run, 2, one, "memory.json"))
	shared.reads.Store(0)
	ok(t, (&Files{In: shared, Project: "p"}).Get(t.Context(), run, two))
	has(t, two, "memory.json", "at the end")
	if n := shared.reads.Load(); n != 2 {
		t.Errorf("%d objects were read for one file that changed", n)
	}
}

// TestListOfAFormerOwner: what a former owner lists after its successor replaces no file of that
// one, also where the files of its earlier lists are here.
func TestListOfAFormerOwner(t *testing.T) {
	t.Parallel()
	one, two, three, run := t.TempDir(), t.TempDir(), t.TempDir(), Run{ID: "a"}
	place := Folder(t.TempDir())
	old, now := &Files{In: place, Project: "p"}, &Files{In: place, Project: "p"}
	for n := range mostListed {
		write(t, filepath.Join(one, "attempts/001", fmt.Sprint(n)), "first")
	}
	ok(t, old.Put(t.Context(), run, 1, one))
	write(t, filepath.Join(two, "attempts/002/agent.txt"), "of the owner")
	ok(t, now.Put(t.Context(), run, 2, two))
	ok(t, now.Get(t.Context(), run, three))
	write(t, filepath.Join(one, "attempts/002/agent.txt"), "of the former one")
	ok(t, old.Put(t.Context(), run, 1, one))
	ok(t, now.Get(t.Context(), run, three))
	has(t, three, "attempts/002/agent.txt", "of the owner")
	has(t, three, "attempts/001/0", "first")
}

// TestListsInOrder: a list that follows another one of its epoch is newer, and older than one of
// the next epoch.
func TestListsInOrder(t *testing.T) {
	t.Parallel()
	names := []string{"2.json", "2.2.json", "2.10.json", "10.json"}
	for i, name := range names {
		n, is := listNameOf(name)
		if !is || n.String() != name {
			t.Errorf("%s is %v", name, n)
		}
		if before, _ := listNameOf(names[max(0, i-1)]); i > 0 && before.compare(n) >= 0 {
			t.Errorf("%s is not after %s", name, names[i-1])
		}
	}
	for _, name := range []string{"new-123", "x.json", "2.x.json", ".json", "2"} {
		if _, is := listNameOf(name); is {
			t.Errorf("%s is the name of a list", name)
		}
	}
}
