//go:build unix

package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func TestPublishAndTake(t *testing.T) {
	t.Parallel()
	s, dir, views := viewed(t)
	l := create(t, s, "a")
	one, err := s.Publish(t.Context(), "a", "docs/api v1.md", "the interface", strings.NewReader("GET /\n"))
	must(t, err)
	want := loop.Artifact{N: 1, Loop: "a", Path: "docs/api v1.md", Bytes: 6, Note: "the interface", At: one.At, SHA256: one.SHA256}
	if diff := cmp.Diff(want, one); diff != "" {
		t.Error(diff)
	}
	kept := filepath.Join(dir, "loops", "a", "artifacts", "1-api_v1.md")
	info, err := os.Lstat(kept)
	must(t, err)
	if info.Mode().Perm() != 0o400 {
		t.Errorf("the copy has mode %v", info.Mode())
	}
	// An ended loop still offers, and what is archived can still be taken.
	must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
	must(t, l.Release(t.Context()))
	two, err := s.Publish(t.Context(), "a", "empty", "", strings.NewReader(""))
	must(t, err)
	must(t, s.Archive(t.Context(), "a"))
	if _, err := s.Publish(t.Context(), "a", "late", "", strings.NewReader("x")); !errors.Is(err, ErrArchived) {
		t.Errorf("an archived loop offers: %v", err)
	}
	var out bytes.Buffer
	got, err := s.Take(t.Context(), 1, "b", &out)
	must(t, err)
	if out.String() != "GET /\n" || got.SHA256 != one.SHA256 {
		t.Errorf("took %q, %+v", &out, got)
	}
	all, err := s.Artifacts(t.Context())
	must(t, err)
	if diff := cmp.Diff([]loop.Artifact{two, one}, all); diff != "" {
		t.Error(diff)
	}
	log := read(t, views, "log.jsonl")
	for _, line := range []string{
		`"event":"published","loop_id":"a","agent":"scripted","artifact":1,"path":"docs/api v1.md","sha256":"` + one.SHA256 + `","bytes":6,"note":"the interface",`,
		`"event":"published","loop_id":"a","agent":"scripted","artifact":2,"path":"empty","sha256":"` + two.SHA256 + `","bytes":0,`,
		`"event":"taken","loop_id":"a","agent":"scripted","artifact":1,"path":"docs/api v1.md","sha256":"` + one.SHA256 + `","bytes":6,"note":"the interface","taken_by":"b",`,
	} {
		if strings.Count(log, line) != 1 {
			t.Errorf("%s stands %d times in the log:\n%s", line, strings.Count(log, line), log)
		}
	}
	must(t, s.Remove(t.Context(), "a"))
	if _, err := s.Take(t.Context(), 1, "b", io.Discard); !errors.Is(err, ErrNoArtifact) {
		t.Errorf("an artifact of a removed loop: %v", err)
	}
	if all, err := s.Artifacts(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// What is refused leaves neither row nor file.
func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	create(t, s, "a")
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		id      string
		content io.Reader
		want    error
	}{
		"no such loop": {"b", strings.NewReader("x"), ErrNoLoop},
		"too large":    {"a", io.LimitReader(zeros{}, loop.MaxArtifact+1), ErrLargeArtifact},
		"unreadable":   {"a", io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken)), broken},
	} {
		if _, err := s.Publish(t.Context(), c.id, "x", "", c.content); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	files, _ := os.ReadDir(filepath.Join(dir, "loops", "a", "artifacts"))
	all, err := s.Artifacts(t.Context())
	if len(files) != 0 || len(all) != 0 || err != nil {
		t.Errorf("left over: %v, %v, %v", files, all, err)
	}
	if a, err := s.Publish(t.Context(), "a", "x", "", io.LimitReader(zeros{}, loop.MaxArtifact)); err != nil || a.Bytes != loop.MaxArtifact {
		t.Errorf("as large as may be: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A copy that was changed is not delivered, and taking it is not recorded.
func TestTakeRefusesWhatWasChanged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path string) error{
		"other bytes": func(p string) error { return os.WriteFile(p, []byte("evil"), 0o600) },
		"longer":      func(p string) error { return os.WriteFile(p, []byte("good and more"), 0o600) },
		"gone":        os.Remove,
		"a link": func(p string) error {
			return errors.Join(os.Rename(p, p+".good"), os.Symlink(p+".good", p))
		},
		"a folder": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir, views := viewed(t)
			create(t, s, "a")
			_, err := s.Publish(t.Context(), "a", "f", "", strings.NewReader("good"))
			must(t, err)
			path := filepath.Join(dir, "loops", "a", "artifacts", "1-f")
			must(t, os.Chmod(path, 0o600))
			must(t, change(path))
			_, err = s.Take(t.Context(), 1, "b", io.Discard)
			if err == nil || name != "gone" && !errors.Is(err, ErrChangedArtifact) {
				t.Errorf("got %v", err)
			}
			if log := read(t, views, "log.jsonl"); strings.Contains(log, `"taken"`) {
				t.Errorf("it was recorded:\n%s", log)
			}
		})
	}
	s, _ := fresh(t)
	if _, err := s.Take(t.Context(), 1, "b", io.Discard); !errors.Is(err, ErrNoArtifact) {
		t.Errorf("from nothing: %v", err)
	}
}

// The name of the copy is safe whatever the path is.
func TestArtifactFile(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a/b.go": "7-b.go", "..": "7-..", "a/ü ö": "7-___", "x\x00y\n": "7-x_y_",
		strings.Repeat("a", 100) + ".md": "7-" + strings.Repeat("a", 61) + ".md",
	} {
		if got := fileOf(loop.Artifact{N: 7, Path: path}); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}

// Two publish at once, and are killed in the middle: whatever is listed can be
// taken whole, no number is given twice, and nothing acknowledged is lost.
func TestKilledPublishers(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	for _, id := range []string{"a", "b"} {
		must(t, create(t, s, id).Release(t.Context()))
	}
	acked := map[string]bool{}
	for range 5 {
		a, b := spawn(t, "publish", dir, "a"), spawn(t, "publish", dir, "b")
		for range 4 {
			for _, c := range []*child{a, b} {
				n := c.line()
				if acked[n] {
					t.Errorf("the number %s was given twice", n)
				}
				acked[n] = true
			}
		}
		a.kill()
		b.kill()
	}
	all, err := s.Artifacts(t.Context())
	must(t, err)
	for _, a := range all {
		delete(acked, strconv.FormatInt(a.N, 10))
		var out bytes.Buffer
		if _, err := s.Take(t.Context(), a.N, "me", &out); err != nil || out.String() != "published by "+a.Loop {
			t.Errorf("artifact %d: %q, %v", a.N, &out, err)
		}
	}
	if len(acked) > 0 {
		t.Errorf("lost: %v", acked)
	}
}

// What a killed publisher left is taken away, once nobody can be at it.
func TestAbandonedCopiesAreSwept(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	create(t, s, "a")
	at := filepath.Join(dir, "loops", "a", "artifacts")
	must(t, os.MkdirAll(at, 0o700))
	for name, age := range map[string]time.Duration{incoming + "old": 2 * abandoned, incoming + "new": 0, "1-kept": 2 * abandoned} {
		path := filepath.Join(at, name)
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chtimes(path, s.o.Now().Add(-age), s.o.Now().Add(-age)))
	}
	_, err := s.Publish(t.Context(), "a", "x", "", strings.NewReader("x"))
	must(t, err)
	files, err := os.ReadDir(at)
	must(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if diff := cmp.Diff([]string{incoming + "new", "1-kept", "1-x"}, names); diff != "" {
		t.Error(diff)
	}
}
