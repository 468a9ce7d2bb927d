package web

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/durable"
	"ralph/internal/lazyregexp"
	"ralph/internal/trust"
	"ralph/internal/web"
)

// kept is what one start of the pages leaves for the next, in a folder of the user's state
// that sandboxes hide from agents:
//
//	$XDG_STATE_HOME/ralph/web/name              the own name of the pages
//	$XDG_STATE_HOME/ralph/web/port              the port that they had last
//	$XDG_STATE_HOME/ralph/web/browsers/<id>     one signed-in browser; its time is the last use
//
// There is no secret of a browser in it: an id is a digest of its cookie. Several servers
// of the user share it, and a file that is removed signs its browser out everywhere.
type kept struct{ dir string }

func (a *Commands) kept() kept { return kept{project.WebDir(a.StateHome())} }

// touchEvery is how exactly the last use of a browser is known.
const touchEvery = time.Minute

// Add signs a browser in.
func (k kept) Add(id string, now time.Time) error {
	dir := filepath.Join(k.dir, "browsers")
	if err := own(k.dir, dir); err != nil {
		return err
	}
	k.forget(dir, now)
	path := filepath.Join(dir, id)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keep a signed-in browser: %w", err)
	}
	return errors.Join(f.Close(), os.Chtimes(path, now, now))
}

// Used reports whether a browser is signed in, and notes that it is used.
func (k kept) Used(id string, now time.Time) bool {
	path := filepath.Join(k.dir, "browsers", id)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !trust.Ours(info) || now.Sub(info.ModTime()) > web.SessionAge {
		return false
	}
	if age := now.Sub(info.ModTime()); age > touchEvery || age < 0 { // clocks are set back
		_ = os.Chtimes(path, now, now)
	}
	return true
}

// Remove signs a browser out.
func (k kept) Remove(id string) error {
	err := os.Remove(filepath.Join(k.dir, "browsers", id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// forget removes the browsers that were not used for too long, and the oldest of too many.
func (k kept) forget(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	var all []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return cmp.Compare(b.ModTime().UnixNano(), a.ModTime().UnixNano()) })
	for n, info := range all {
		if n >= web.MostSessions-1 || now.Sub(info.ModTime()) > web.SessionAge {
			_ = os.Remove(filepath.Join(dir, info.Name()))
		}
	}
}

// signOut signs all browsers out, and gives up the name. It returns how many they were.
func (k kept) signOut() (int, error) {
	all, err := os.ReadDir(filepath.Join(k.dir, "browsers"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return len(all), errors.Join(err, os.RemoveAll(filepath.Join(k.dir, "browsers")), removed(filepath.Join(k.dir, "name")))
}

func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

var ownNames = lazyregexp.New(`^ralph-[a-z0-9]{16}\.localhost$`)

// name is a name below localhost, which browsers resolve to this machine by themselves. No
// other program knows it: it could get the browser to send it the cookie. It stays until
// all browsers are signed out.
func (k kept) name() (string, error) {
	if err := own(k.dir); err != nil {
		return "", err
	}
	if name := k.read("name"); ownNames.MatchString(name) {
		return name, nil
	}
	name := newName()
	if err := durable.Replace(filepath.Join(k.dir, "name"), []byte(name+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("keep the name of the pages: %w", err)
	}
	return name, nil
}

func newName() string {
	letters := ""
	for len(letters) < 16 { // a secret has 43 characters, of which few are dropped
		letters += strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(web.NewSecret()))
	}
	return "ralph-" + letters[:16] + ".localhost"
}

// port is the one that the pages had last; 0 is none.
func (k kept) port() int {
	n, err := strconv.Atoi(k.read("port"))
	if err != nil || n < 1 || n > 65535 {
		return 0
	}
	return n
}

// setPort remembers the port; where that fails a bookmark breaks, and nothing else.
func (k kept) setPort(port string) {
	_ = os.WriteFile(filepath.Join(k.dir, "port"), []byte(port+"\n"), 0o600)
}

// read is a file of one word that the user owns.
func (k kept) read(name string) string {
	path := filepath.Join(k.dir, name)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || !trust.Ours(info) {
		return ""
	}
	data, _ := os.ReadFile(path)
	return strings.TrimSpace(string(data))
}

// own makes folders that are only the user's, and refuses others.
func own(dirs ...string) error {
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("keep who is signed in: %w", err)
		}
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !trust.Ours(info) {
			return fmt.Errorf("keep who is signed in: %s is not a folder that only you can write", dir)
		}
	}
	return nil
}
