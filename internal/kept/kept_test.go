//go:build unix

package kept

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// leave writes the files of a loop, and returns their content by path.
func leave(t *testing.T) (dir string, want map[string]string) {
	t.Helper()
	dir = t.TempDir()
	want = map[string]string{
		"attempts/000/gates/until.log":          "",
		"attempts/001/prompt.md":                strings.Repeat("do it\n", 100),
		"attempts/001/gates/until.log":          "ok",
		"attempts/001/runs/agent-1/exit.json":   `{"code":0}`,
		"attempts/001/reviews/a/1-1/prompt.md":  "review it",
		"accept/abc/attempts/001/gates/a-1.log": "ok again",
		"filters.json":                          "{}",
	}
	for name, text := range want {
		put(t, dir, name, text)
	}
	put(t, dir, "memory.json", "stays")
	return dir, want
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// readable fails unless every file is read as it was written.
func readable(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	for name, text := range want {
		path := filepath.Join(dir, name)
		got, err := ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if n, err := Size(path); err != nil || n != int64(len(text)) {
			t.Errorf("size of %s: %d, %v", name, n, err)
		}
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			all = append(all, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var moved = []string{"attempts", "accept", "filters.json", "missing"}

// TestPack: all files are in one, and are read under their old paths.
func TestPack(t *testing.T) {
	t.Parallel()
	dir, want := leave(t)
	if Archive(dir) != "" {
		t.Error("packed before")
	}
	for range 2 { // a second call finds nothing to do
		if err := Pack(dir, moved...); err != nil {
			t.Fatal(err)
		}
		readable(t, dir, want)
		if diff := cmp.Diff([]string{Name, "memory.json"}, names(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
	if Archive(dir) != filepath.Join(dir, Name) {
		t.Error("not packed after")
	}
	f, err := Open(filepath.Join(dir, "attempts/001/prompt.md"), 594)
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(f); string(rest) != "do it\n" || err != nil {
		t.Errorf("from an offset: %q, %v", rest, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"attempts/002/prompt.md", "attempts/001", "memory"} {
		if _, err := ReadFile(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errKilled = errors.New("killed")

// TestPackKilled ends it at every step: nothing is lost, and the next call finishes.
func TestPackKilled(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		dir, want := leave(t)
		put(t, dir, "attempts/001/agent.txt", "of before")
		if err := Pack(dir, "attempts/001/agent.txt", "filters.json"); err != nil {
			t.Fatal(err)
		}
		want["attempts/001/agent.txt"] = "of after" // written after the end
		put(t, dir, "attempts/001/agent.txt", "of after")
		left, step := n, ""
		p := packing{at: func(at string) error {
			if left--; left == 0 {
				step = at
				return errKilled
			}
			return nil
		}}
		err := p.pack(dir, moved)
		readable(t, dir, want)
		if err == nil {
			if n < 20 {
				t.Fatalf("only %d steps", n)
			}
			return
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		if err := Pack(dir, moved...); err != nil {
			t.Fatalf("after a kill at %q: %v", step, err)
		}
		readable(t, dir, want)
		if diff := cmp.Diff([]string{Name, "memory.json"}, names(t, dir)); diff != "" {
			t.Fatalf("after a kill at %q: %s", step, diff)
		}
	}
}

// TestPackChanged: a file that is written meanwhile is not removed, and counts.
func TestPackChanged(t *testing.T) {
	t.Parallel()
	dir, want := leave(t)
	p := packing{at: func(at string) error {
		if at == "rename" {
			want["filters.json"] = "new"
			put(t, dir, "filters.json", "new")
			return os.Chtimes(filepath.Join(dir, "filters.json"), time.Time{}, time.Now().Add(time.Second))
		}
		return nil
	}}
	if err := p.pack(dir, moved); err != nil {
		t.Fatal(err)
	}
	readable(t, dir, want)
	if err := Pack(dir, moved...); err != nil {
		t.Fatal(err)
	}
	readable(t, dir, want)
	if diff := cmp.Diff([]string{Name, "memory.json"}, names(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestPackAtOnce: while one process packs, another one does nothing.
func TestPackAtOnce(t *testing.T) {
	t.Parallel()
	dir, want := leave(t)
	p := packing{at: func(string) error { return Pack(dir, moved...) }}
	if err := p.pack(dir, moved); err != nil {
		t.Fatal(err)
	}
	readable(t, dir, want)
}

// TestDamagedArchive is an error, never an empty file.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	dir, _ := leave(t)
	if err := Pack(dir, moved...); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, Name, string(data[:len(data)/2]))
	if _, err := ReadFile(filepath.Join(dir, "filters.json")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half an archive: %v", err)
	}
	put(t, dir, "attempts/003/prompt.md", "new")
	if err := Pack(dir, moved...); err != nil {
		t.Fatal(err)
	}
	if half, err := os.ReadFile(filepath.Join(dir, aside)); err != nil || len(half) != len(data)/2 {
		t.Errorf("half an archive was not kept: %v", err)
	}
	readable(t, dir, map[string]string{"attempts/003/prompt.md": "new"})
}

// A file that is a pipe is not waited for.
func TestOpenPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "until.log")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, 0); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A damaged archive is named as such, and the next Pack keeps it under another name.
func TestArchivesThatAreNotOne(t *testing.T) {
	t.Parallel()
	for what, damage := range map[string]func(path string) error{
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"garbage": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("x", 5000)), 0o600) },
		"cut off": func(path string) error { return os.Truncate(path, 300) },
		"pipe":    func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)) },
		"folder":  func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"link":    func(path string) error { return errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir, _ := leave(t)
			if err := Pack(dir, "attempts", "filters.json"); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(Check(dir), damage(filepath.Join(dir, Name))); err != nil {
				t.Fatal(err)
			}
			_, err := ReadFile(filepath.Join(dir, "filters.json"))
			if !errors.Is(err, ErrDamaged) || errors.Is(err, fs.ErrNotExist) || !errors.Is(Check(dir), ErrDamaged) {
				t.Errorf("%v", err)
			}
			put(t, dir, "filters.json", "{}")
			if err := errors.Join(Pack(dir, "filters.json"), Check(dir)); err != nil {
				t.Fatal(err)
			}
			readable(t, dir, map[string]string{"filters.json": "{}"})
			if _, err := os.Lstat(filepath.Join(dir, aside)); err != nil {
				t.Error(err)
			}
		})
	}
}
