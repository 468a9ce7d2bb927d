package trust

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func book(t *testing.T) Book {
	t.Helper()
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	return Book{Dir: filepath.Join(t.TempDir(), "trust"), Now: func() time.Time { at = at.Add(time.Second); return at }}
}

func repository(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo", ".git")
	if err := os.MkdirAll(filepath.Join(dir, "ralph"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestAllowed: exactly one content of exactly one repository is allowed.
func TestAllowed(t *testing.T) {
	t.Parallel()
	b, repo := book(t), repository(t)
	lines := []Line{NewLine("runs", "gates.t.run", "make", "make"), NewLine("opens", "env", "(masked)", "secret")}
	if err := b.Allow(repo, "/r", "nina", lines); err != nil {
		t.Fatal(err)
	}
	if !b.Allowed(repo, Digest(lines)) {
		t.Error("what was allowed is not")
	}
	for name, other := range map[string][]Line{
		"another value":  {NewLine("runs", "gates.t.run", "make", "make evil"), lines[1]},
		"hidden value":   {lines[0], NewLine("opens", "env", "(masked)", "another")},
		"another order":  {lines[1], lines[0]},
		"one line less":  lines[:1],
		"another effect": {NewLine("opens", "gates.t.run", "make", "make"), lines[1]},
	} {
		if b.Allowed(repo, Digest(other)) {
			t.Errorf("%s is allowed", name)
		}
	}
	if b.Allowed(repo+"x", Digest(lines)) || b.Allowed(repo, "") || Digest(nil) != "" {
		t.Error("another repository, or no content, is allowed")
	}
	if n, err := b.Revoke(repo); n != 1 || err != nil || b.Allowed(repo, Digest(lines)) {
		t.Errorf("revoked %d, %v", n, err)
	}
}

// TestRevokedStore: a store whose permission was taken back is not called a foreign one; one
// that came from elsewhere, or that was adopted again, is not called revoked.
func TestRevokedStore(t *testing.T) {
	t.Parallel()
	b, repo, dir := Book{Dir: t.TempDir(), Now: time.Now}, "/r/.git", t.TempDir()
	if own, err := b.Bind(repo, dir, false); !own || err != nil || b.Revoked(repo, dir) {
		t.Fatalf("bound %v, %v, revoked %v", own, err, b.Revoked(repo, dir))
	}
	if n, err := b.Revoke(repo); n != 1 || err != nil {
		t.Fatalf("revoked %d, %v", n, err)
	}
	if !b.Revoked(repo, dir) || b.Own(repo, dir, true) {
		t.Errorf("revoked %v, own %v", b.Revoked(repo, dir), b.Own(repo, dir, true))
	}
	if own, err := b.Bind(repo, dir, true); own || err != nil {
		t.Errorf("bound again without a permission: %v, %v", own, err)
	}
	if b.Revoked("/copy/.git", dir) {
		t.Error("a copy is called revoked")
	}
	if err := b.Adopt(repo, dir); err != nil || b.Revoked(repo, dir) || !b.Own(repo, dir, true) {
		t.Errorf("adopted again: %v, revoked %v", err, b.Revoked(repo, dir))
	}
}

// TestRecordsOfOthers: a record that another user could have written, that was
// moved to another name, or that is damaged, allows nothing.
func TestRecordsOfOthers(t *testing.T) {
	t.Parallel()
	lines := []Line{NewLine("runs", "k", "v", "v")}
	for name, spoil := range map[string]func(t *testing.T, path string) error{
		"writable by others": func(_ *testing.T, path string) error { return os.Chmod(path, 0o666) },
		"writable directory": func(_ *testing.T, path string) error { return os.Chmod(filepath.Dir(path), 0o777) },
		"damaged":            func(_ *testing.T, path string) error { return os.WriteFile(path, []byte("{"), 0o600) },
		"a link": func(_ *testing.T, path string) error {
			if err := os.Rename(path, path+".away"); err != nil {
				return err
			}
			return os.Symlink(path+".away", path)
		},
		"of another content": func(_ *testing.T, path string) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(strings.Replace(string(data), `"key": "k"`, `"key": "z"`, 1)), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, repo := book(t), repository(t)
			if err := b.Allow(repo, "/r", "nina", lines); err != nil {
				t.Fatal(err)
			}
			if err := spoil(t, b.allowance(repo, Digest(lines))); err != nil {
				t.Fatal(err)
			}
			if b.Allowed(repo, Digest(lines)) {
				t.Error("it is allowed")
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	before := []Line{NewLine("runs", "a", "1", "1"), NewLine("runs", "b", "1", "1"), NewLine("runs", "c", "1", "1")}
	now := []Line{before[0], NewLine("runs", "b", "2", "2"), NewLine("runs", "d", "1", "1")}
	added, gone := Changes(before, now)
	if d := cmp.Diff(now[1:], added); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(before[2:], gone); d != "" {
		t.Error(d)
	}
}

// TestStoresAreBound: a store belongs to the place where it was made. A copy is
// foreign until it is adopted, and the original stays what it was.
func TestStoresAreBound(t *testing.T) {
	t.Parallel()
	b, repo := book(t), repository(t)
	dir := filepath.Join(repo, "ralph")
	if own, err := b.Bind(repo, dir, true); own || err != nil {
		t.Errorf("a store without a name: %v, %v", own, err)
	}
	if own, err := b.Bind(repo, dir, false); !own || err != nil {
		t.Fatalf("a new store: %v, %v", own, err)
	}
	if own, err := b.Bind(repo, dir, true); !own || err != nil {
		t.Errorf("the second time: %v, %v", own, err)
	}
	copied := repository(t)
	if err := os.CopyFS(filepath.Join(filepath.Dir(copied), "x"), os.DirFS(repo)); err != nil {
		t.Fatal(err)
	}
	copied = filepath.Join(filepath.Dir(copied), "x")
	theirs := filepath.Join(copied, "ralph")
	for _, exists := range []bool{true, false} {
		if own, err := b.Bind(copied, theirs, exists); own || err != nil {
			t.Errorf("a copy, database %v: %v, %v", exists, own, err)
		}
	}
	if err := b.Adopt(copied, theirs); err != nil {
		t.Fatal(err)
	}
	for place, store := range map[string]string{copied: theirs, repo: dir} {
		if own, err := b.Bind(place, store, true); !own || err != nil {
			t.Errorf("%s after the adoption: %v, %v", place, own, err)
		}
	}
	if other := (Book{Dir: t.TempDir(), Now: time.Now}); other.Own(repo, dir, true) {
		t.Error("the store is another machine's own too")
	}
}

// TestStoresThatCannotBeRecorded: neither a store whose record cannot be written, nor one
// with a damaged name, is called another machine's.
func TestStoresThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	repo := repository(t)
	dir := filepath.Join(repo, "ralph")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	blocked := Book{Dir: file, Now: time.Now}
	if own, err := blocked.Bind(repo, dir, false); own || err == nil {
		t.Errorf("no place for the record: %v, %v", own, err)
	}
	b := book(t)
	if own, err := b.Bind(repo, dir, false); !own || err != nil {
		t.Fatal(own, err)
	}
	if err := os.WriteFile(filepath.Join(dir, idFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if own, err := b.Bind(repo, dir, true); own || !errors.Is(err, ErrDamagedName) || !errors.Is(Named(dir), ErrDamagedName) {
		t.Errorf("an empty name: %v, %v", own, err)
	}
	if err := errors.Join(b.Adopt(repo, dir), Named(dir)); err != nil {
		t.Error(err)
	}
}

// TestRenamed: a directory that was renamed brings along what was allowed; one
// that was copied and whose original was deleted does not.
func TestRenamed(t *testing.T) {
	t.Parallel()
	b, repo := book(t), repository(t)
	if identity(repo) == "" {
		t.Skip("directories have no identity here")
	}
	lines := []Line{NewLine("runs", "k", "v", "v")}
	if own, err := b.Bind(repo, filepath.Join(repo, "ralph"), false); !own || err != nil {
		t.Fatal(own, err)
	}
	if err := b.Allow(repo, "/r", "nina", lines); err != nil {
		t.Fatal(err)
	}
	renamed := repo + "-renamed"
	if err := os.Rename(repo, renamed); err != nil {
		t.Fatal(err)
	}
	if own, err := b.Bind(renamed, filepath.Join(renamed, "ralph"), true); !own || err != nil || !b.Allowed(renamed, Digest(lines)) {
		t.Errorf("renamed: own %v, %v, allowed %v", own, err, b.Allowed(renamed, Digest(lines)))
	}
	if b.Allowed(repo, Digest(lines)) {
		t.Error("the former place is allowed still")
	}
	copied := repo + "-copied"
	if err := os.CopyFS(copied, os.DirFS(renamed)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(renamed); err != nil {
		t.Fatal(err)
	}
	if b.Own(copied, filepath.Join(copied, "ralph"), true) {
		t.Error("a copy counts as the original")
	}
}

// TestRestored: a copy at the place of the original, such as a backup, is not taken for it.
// The original, which was renamed, is known again.
func TestRestored(t *testing.T) {
	t.Parallel()
	b, repo := book(t), repository(t)
	if born(repo) == "" {
		t.Skip("the file system does not tell when a directory was made")
	}
	if own, err := b.Bind(repo, filepath.Join(repo, "ralph"), false); !own || err != nil {
		t.Fatal(own, err)
	}
	renamed, backup := repo+"-renamed", repo+"-backup"
	if err := errors.Join(os.CopyFS(backup, os.DirFS(repo)), os.Rename(repo, renamed), os.Rename(backup, repo)); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]bool{repo: false, renamed: true} {
		dir := filepath.Join(place, "ralph")
		if got := b.Own(place, dir, true); got != want {
			t.Errorf("%s: own %v, want %v", place, got, want)
		}
		if own, err := b.Bind(place, dir, true); own != want || err != nil {
			t.Errorf("%s: bound %v, %v, want %v", place, own, err, want)
		}
	}
}

// TestManyStarts: of many processes that make one store at once none is refused.
func TestManyStarts(t *testing.T) {
	t.Parallel()
	b, repo := book(t), repository(t)
	b.Now = time.Now
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if own, err := b.Bind(repo, filepath.Join(repo, "ralph"), false); !own || err != nil {
				t.Errorf("own %v, %v", own, err)
			}
		})
	}
	all.Wait()
	files, err := b.files("stores", "")
	if err != nil || len(files) != 1 {
		t.Errorf("%d records of one store, %v", len(files), err)
	}
}
