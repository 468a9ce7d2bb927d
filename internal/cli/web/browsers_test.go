package web

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"ralph/internal/web"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// id is one of a browser.
func id(n byte) string {
	return strings.Repeat(string([]byte{'a' + n%26}), 60) + string([]byte{'a' + n/26, 'b', 'c', 'd'})
}

// TestBrowsersAreKept: a browser that signed in is known to the next server until it signs
// out, or was not used for a week; the files hold nothing of its cookie.
func TestBrowsersAreKept(t *testing.T) {
	t.Parallel()
	k := kept{filepath.Join(t.TempDir(), "web")}
	if err := k.Add(id(1), now); err != nil {
		t.Fatal(err)
	}
	again := kept{k.dir}
	if !again.Used(id(1), now.Add(web.SessionAge)) {
		t.Error("the next server does not know it")
	}
	if !again.Used(id(1), now.Add(2*web.SessionAge)) || again.Used(id(1), now.Add(3*web.SessionAge+time.Hour)) {
		t.Error("a session lives as long as it is used, and a week longer")
	}
	if k.Used(id(2), now) || k.Used("", now) {
		t.Error("one that never signed in is known")
	}
	if once, twice := k.Remove(id(1)), k.Remove(id(1)); once != nil || twice != nil || again.Used(id(1), now) {
		t.Error("signed out, and still known")
	}
	for n := range byte(web.MostSessions + 3) {
		if err := k.Add(id(n), now.Add(time.Duration(n)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := os.ReadDir(filepath.Join(k.dir, "browsers")); len(all) != web.MostSessions || k.Used(id(0), now) {
		t.Errorf("%d browsers", len(all))
	}
	for _, path := range []string{k.dir, filepath.Join(k.dir, "browsers"), filepath.Join(k.dir, "browsers", id(5))} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%s: %v %v", path, info, err)
		}
	}
	if n, err := k.signOut(); n != web.MostSessions || err != nil || k.Used(id(5), now) {
		t.Errorf("%d signed out, %v", n, err)
	}
}

// TestNameIsKept: until all browsers are signed out; what is no name is replaced.
func TestNameIsKept(t *testing.T) {
	t.Parallel()
	k := kept{filepath.Join(t.TempDir(), "web")}
	name := func() string {
		n, err := k.name()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := name()
	if !regexp.MustCompile(`^ralph-[a-z0-9]{16}\.localhost$`).MatchString(first) || name() != first {
		t.Errorf("%s, then %s", first, name())
	}
	write(t, filepath.Join(k.dir, "name"), "evil.example\n")
	if got := name(); got == first || strings.Contains(got, "evil") {
		t.Error(got)
	}
	second := name()
	if _, err := k.signOut(); err != nil || name() == second {
		t.Errorf("%v: the name is the same after all were signed out", err)
	}
	k.setPort("7901")
	if k.port() != 7901 {
		t.Errorf("port %d", k.port())
	}
	write(t, filepath.Join(k.dir, "port"), "99999")
	if k.port() != 0 {
		t.Errorf("port %d", k.port())
	}
}

// TestForeignFilesSignNobodyIn: a folder or a file that others can write, and a link, do
// not count.
func TestForeignFilesSignNobodyIn(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("file modes tell nothing there")
	}
	k := kept{filepath.Join(t.TempDir(), "web")}
	if err := k.Add(id(1), now); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(k.dir, "browsers", id(1))
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if k.Used(id(1), now) {
		t.Error("a file that others can write signs in")
	}
	if err := os.Symlink(path, filepath.Join(k.dir, "browsers", id(2))); err != nil {
		t.Fatal(err)
	}
	if k.Used(id(2), now) {
		t.Error("a link signs in")
	}
	if err := os.Chmod(k.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := k.name(); err == nil {
		t.Error("a folder that others can write is used")
	}
	if err := k.Add(id(3), now); err == nil {
		t.Error("a browser is kept in a folder that others can write")
	}
}
