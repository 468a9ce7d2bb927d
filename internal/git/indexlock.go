package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ralph/internal/durable"
)

// indexLock is git's lock on the index of a user's tree, taken by ralph for a whole move of
// that tree. git works on a copy of the index, which takes its place at the end. A lock that
// git itself takes stays without a sign of whose it was where git and ralph are killed; this
// one says so, and the kernel tells that its processes are gone.
type indexLock struct {
	index string // the user's
	file  *os.File
	copy  string
}

// indexLockText is what ralph's lock holds, for a person who looks for who has it.
const indexLockText = "ralph accept moves this tree. Where it was killed, the same ralph accept completes it.\n"

// lockIndex takes the lock on the index of p, also one that a killed ralph has left. It is
// ErrLocked while another process has it. It returns the place where git works on the copy.
func lockIndex(p place) (place, *indexLock, error) {
	l := &indexLock{index: indexOf(p.gitDir)}
	l.copy = filepath.Join(filepath.Dir(l.index), "ralph-advance.index")
	if err := l.take(); err != nil {
		return place{}, nil, err
	}
	for _, left := range []string{l.copy, l.copy + ".lock"} {
		_ = os.Remove(left)
	}
	if err := copyIndex(l.index, l.copy); err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.release()
		return place{}, nil, err
	}
	p.index, p.holds, p.reads, p.theirs = l.copy, l.file, false, true
	return p, l, nil
}

// indexOf is the index of a folder of git. It may be a link: then git locks its target.
func indexOf(gitDir string) string {
	index := filepath.Join(gitDir, "index")
	if real, err := filepath.EvalSymlinks(index); err == nil {
		return real
	}
	return index
}

func (l *indexLock) path() string { return l.index + ".lock" }

// take makes the lock whole under another name first, so that no kill leaves one that does
// not say whose it is; or it takes over the one that a killed ralph has left.
func (l *indexLock) take() error {
	fresh := filepath.Join(filepath.Dir(l.index), "ralph-advance.lock")
	f, err := openLocked(fresh, os.O_CREATE)
	if err != nil {
		return err
	}
	err = errors.Join(f.Truncate(0), writeAll(f))
	if err == nil {
		err = os.Link(fresh, l.path())
	}
	_ = os.Remove(fresh)
	if err == nil && sameFile(f, l.path()) {
		l.file = f
		return nil
	}
	_ = f.Close()
	_, noLink := errors.AsType[*os.LinkError](err)
	switch {
	case string(readSmall(l.path())) == indexLockText:
		l.file, err = openLocked(l.path(), 0)
	case exists(l.path()):
		err = ErrLocked{l.path()}
	case noLink && !errors.Is(err, syscall.ENOSPC): // such as a file system without links
		err = l.takeWithoutLink()
	}
	return err
}

func (l *indexLock) takeWithoutLink() (err error) {
	if l.file, err = openLocked(l.path(), os.O_CREATE|os.O_EXCL); err != nil {
		return err
	}
	if err = writeAll(l.file); err != nil {
		l.release()
	}
	return err
}

// writeAll writes the text, also to the disk: a power cut keeps no name without it.
func writeAll(f *os.File) error {
	_, err := f.WriteAt([]byte(indexLockText), 0)
	return errors.Join(err, f.Sync())
}

// openLocked opens a file and locks it. It is ErrLocked where another process has it.
func openLocked(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|flags, 0o600)
	if err != nil {
		return nil, err
	}
	ours, err := durable.TryLock(f)
	if errors.Is(err, errors.ErrUnsupported) && flags != 0 {
		ours, err = true, nil // it is not taken over
	}
	if err != nil || !ours || !sameFile(f, path) {
		_ = f.Close()
		return nil, errors.Join(ErrLocked{path}, err)
	}
	return f, nil
}

func sameFile(f *os.File, path string) bool {
	have, err := f.Stat()
	there, statErr := os.Lstat(path)
	return err == nil && statErr == nil && os.SameFile(have, there)
}

// replace puts the copy in the place of the user's index.
func (l *indexLock) replace() error { return os.Rename(l.copy, l.index) }

// release gives the index back to others.
func (l *indexLock) release() {
	_ = os.Remove(l.copy)
	_ = os.Remove(l.path())
	_ = l.file.Close()
}

// KilledAdvance returns the lock that an AdvanceBranch which was killed has left on the
// index of the worktree of r; "" where there is none. Calling it again completes it.
func (r *Repo) KilledAdvance() string {
	path := indexOf(r.gitDir) + ".lock"
	if string(readSmall(path)) != indexLockText {
		return ""
	}
	f, err := openLocked(path, 0)
	if err != nil {
		return ""
	}
	_ = f.Close()
	return path
}
