package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// standInFolder is the mode that tells our empty folders from others: for a
// folder in which only its owner writes the sticky bit means nothing.
const standInFolder = fs.ModeDir | fs.ModeSticky | 0o700

const standInNote = "# This file stands here while ralph holds an agent in a sandbox, so that none can be\n" +
	"# made in its place. ralph removes it afterwards, unless something else is written here.\n"

// standInFile is what a stand-in says: nothing, but that bash reads only the first
// of its three login files, so that these lead on to the next.
func standInFile(name string) string {
	switch name {
	case ".bash_profile":
		return standInNote + "if [ -r ~/.bash_login ]; then . ~/.bash_login; elif [ -r ~/.profile ]; then . ~/.profile; fi\n"
	case ".bash_login":
		return standInNote + "if [ -r ~/.profile ]; then . ~/.profile; fi\n"
	}
	return standInNote
}

// standIn is one that this process uses.
type standIn struct {
	secret
	lock *os.File
}

// take makes a stand-in, or uses one that is there. It answers nil where
// something else is there, and where nobody may make anything.
func take(s secret) (*standIn, error) {
	const tries = 20 // others may be removing theirs just now
	for range tries {
		err := s.put()
		switch {
		case powerless(err):
			return nil, nil
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil && !errors.Is(err, fs.ErrExist):
			return nil, err
		}
		if in, err := s.join(); in != nil || err == nil {
			return in, nil
		}
	}
	return nil, errors.New("it comes and goes")
}

// errGone says that what was at a path has just been removed, or replaced.
var errGone = errors.New("gone")

// join shares the stand-in that is there; nil where it is something else.
func (s secret) join() (*standIn, error) {
	if ours, err := s.looksAt(); err != nil {
		return nil, errGone
	} else if !ours {
		return nil, nil
	}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, errGone
	}
	share(f)
	if !s.is(f) {
		_ = f.Close()
		return nil, errGone
	}
	return &standIn{secret: s, lock: f}, nil
}

// leave removes it if nobody else uses it.
func (s *standIn) leave() {
	defer s.lock.Close()
	if !alone(s.lock) || !s.is(s.lock) || os.Remove(s.path) != nil {
		return
	}
	for dir := filepath.Dir(s.path); made(dir); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			return // something else is in it now
		}
	}
}

// made says whether a folder is one of ours.
func made(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.Mode() == standInFolder
}

// mkdirs makes a folder and those that it lies in, which go with it.
func mkdirs(dir string) error {
	err := os.Mkdir(dir, standInFolder)
	if errors.Is(err, fs.ErrNotExist) {
		if err := mkdirs(filepath.Dir(dir)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return os.Mkdir(dir, standInFolder)
	}
	return err
}

// put makes it at once as a whole: one that is half written would be taken for a
// person's own.
func (s secret) put() error {
	dir := filepath.Dir(s.path)
	if _, err := os.Lstat(s.path); err == nil {
		return fs.ErrExist
	}
	if !s.file {
		return mkdirs(s.path)
	}
	if err := mkdirs(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.CreateTemp(dir, ".ralph-stand-in-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(standInFile(filepath.Base(s.path)))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), s.path)
}

// is says whether f is a stand-in and still the one that stands at the path.
func (s secret) is(f *os.File) bool {
	mine, err := f.Stat()
	there, err2 := os.Lstat(s.path)
	return err == nil && err2 == nil && os.SameFile(mine, there) && s.standsIn()
}

// standsIn says whether what is at the path is a stand-in.
func (s secret) standsIn() bool {
	ours, err := s.looksAt()
	return ours && err == nil
}

// looksAt says whether what is at the path is a stand-in. What is gone while it is
// looked at is an error: another one may be there by now.
func (s secret) looksAt() (bool, error) {
	info, err := os.Lstat(s.path)
	if err != nil {
		return false, err
	}
	if !s.file {
		if info.Mode() != standInFolder {
			return false, nil
		}
		entries, err := os.ReadDir(s.path)
		return err == nil && len(entries) == 0, gone(err)
	}
	want := standInFile(filepath.Base(s.path))
	if !info.Mode().IsRegular() || info.Size() != int64(len(want)) {
		return false, nil
	}
	text, err := os.ReadFile(s.path)
	return err == nil && string(text) == want, gone(err)
}

// gone is err where it says that something is not there any more.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
