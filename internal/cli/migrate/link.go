package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"

	"ralph/internal/cli/exit"
	"ralph/internal/view"
)

// The file that old readers of seed 001 look at, and what stands beside it.
const (
	currentLoop = ".aiwg/ralph/current-loop.json"
	keptAs      = currentLoop + ".before-ralph"
	newLink     = currentLoop + ".ralph-link"
)

// link leaves current-loop.json as a link to ralph's view of its loop.
func (m *migration) link(context.Context) error {
	root, err := os.OpenRoot(m.p.Place.MainRoot)
	if err != nil {
		return fmt.Errorf("link %s: %w", currentLoop, err)
	}
	defer root.Close()
	target, _ := root.Readlink(currentLoop)
	switch {
	case path.Dir(path.Dir(target)) == "../../.ralph/loops":
		m.Say("%s leads to ralph's view already", currentLoop)
		return nil
	case m.current == nil || m.linkTo == "":
		return exit.UsageError("ralph migrate without --link", "--link: no %s of a loop that is here", currentLoop)
	case m.changedThere():
		return exit.UsageError("abort it here and migrate anew under another name, or leave it as it is",
			"--link: %s has changed since it was imported; nothing was linked", currentLoop)
	}
	m.done.Link = &view.MigratedLink{Path: currentLoop, Target: "../../.ralph/loops/" + m.linkTo + "/state.json", Backup: keptAs}
	if m.dry {
		return nil
	}
	m.done.Link.Backup, err = linked(root, m.done.Link.Target, m.fault)
	if err != nil {
		return fmt.Errorf("link %s: %w", currentLoop, err)
	}
	return nil
}

func (m *migration) changedThere() bool {
	for _, l := range m.done.Loops {
		if l.Source == m.current.Source && l.Result == view.MigrateChanged {
			return true
		}
	}
	return false
}

// linked puts a link in place of the file. The backup is a second name of the
// very file, so that nothing is copied and nothing can be torn; then the link
// takes over the first name in one step. Cut off anywhere, the next call does
// what is left.
func linked(root *os.Root, target string, fault func(string)) (backup string, err error) {
	if backup, err = keepCurrent(root); err != nil {
		return "", err
	}
	fault("link:kept")
	if err := root.RemoveAll(newLink); err != nil {
		return "", err
	}
	if err := root.Symlink(target, newLink); err != nil {
		return "", err
	}
	fault("link:made")
	if same, err := sameContent(root, currentLoop, backup); err != nil || !same {
		return "", errors.Join(errors.New("it changed just now; try again"), err, root.Remove(newLink))
	}
	if err := root.Rename(newLink, currentLoop); err != nil {
		return "", err
	}
	fault("link:renamed")
	return backup, syncFolder(root, path.Dir(currentLoop))
}

// keepCurrent gives the file an unused second name, or finds the one
// that it was given before.
func keepCurrent(root *os.Root) (string, error) {
	name := keptAs
	for n := 2; ; n++ {
		err := root.Link(currentLoop, name)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return name, copyCurrent(root, name)
		}
		if same, err := sameContent(root, currentLoop, name); same || err != nil {
			return name, err
		}
		name = fmt.Sprintf("%s.%d", keptAs, n)
	}
}

// copyCurrent serves file systems on which a file has one name only.
func copyCurrent(root *os.Root, name string) error {
	data, err := root.ReadFile(currentLoop)
	if err != nil {
		return err
	}
	tmp := name + ".tmp"
	if err := root.RemoveAll(tmp); err != nil {
		return err
	}
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return root.Rename(tmp, name)
}

// sameContent compares files, and links by where they lead.
func sameContent(root *os.Root, a, b string) (bool, error) {
	one, err := root.Lstat(a)
	if err != nil {
		return false, err
	}
	two, err := root.Lstat(b)
	if err != nil || os.SameFile(one, two) || one.Mode().Type() != two.Mode().Type() {
		return err == nil && os.SameFile(one, two), err
	}
	read := root.ReadFile
	if one.Mode()&fs.ModeSymlink != 0 {
		read = func(name string) ([]byte, error) { to, err := root.Readlink(name); return []byte(to), err }
	}
	left, err := read(a)
	if err != nil {
		return false, err
	}
	right, err := read(b)
	return bytes.Equal(left, right), err
}

func syncFolder(root *os.Root, dir string) error {
	if runtime.GOOS == "windows" { // It has no such call for a folder.
		return nil
	}
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
