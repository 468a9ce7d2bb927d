package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// placeholderMode distinguishes our empty folders from others: the sticky bit
// means nothing for a folder in which only its owner writes.
const placeholderMode = fs.ModeDir | fs.ModeSticky | 0o700

const placeholderNote = "# This file stands here while ralph holds an agent in a sandbox, so that none can be\n" +
	"# made in its place. ralph removes it afterwards, unless something else is written here.\n"

// placeholderText returns the contents of a placeholder file: comments only,
// except that bash reads only the first of its three login files, so that these
// source the next.
func placeholderText(name string) string {
	switch name {
	case ".bash_profile":
		return placeholderNote + "if [ -r ~/.bash_login ]; then . ~/.bash_login; elif [ -r ~/.profile ]; then . ~/.profile; fi\n"
	case ".bash_login":
		return placeholderNote + "if [ -r ~/.profile ]; then . ~/.profile; fi\n"
	}
	return placeholderNote
}

// placeholder is one that this process uses.
type placeholder struct {
	secret
	lock *os.File
}

// take creates a placeholder, or shares an existing one. It returns nil where
// something else exists, and where the user may not create anything.
func take(s secret) (*placeholder, error) {
	const tries = 20 // other processes may be removing theirs just now
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
	return nil, errors.New("other processes keep creating and removing it")
}

// errGone: what was at a path has just been removed, or replaced.
var errGone = errors.New("gone")

// join shares the placeholder that exists; nil where it is something else.
func (s secret) join() (*placeholder, error) {
	if ours, err := s.checkPlaceholder(); err != nil {
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
	return &placeholder{secret: s, lock: f}, nil
}

// leave removes the placeholder if no other process uses it.
func (s *placeholder) leave() {
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

// made reports whether a folder is one of ours.
func made(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.Mode() == placeholderMode
}

// mkdirs creates a folder and its parents, which are removed with it.
func mkdirs(dir string) error {
	err := os.Mkdir(dir, placeholderMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err := mkdirs(filepath.Dir(dir)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return os.Mkdir(dir, placeholderMode)
	}
	return err
}

// put creates it atomically: a half-written file would be taken for the user's
// own.
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
	_, err = f.WriteString(placeholderText(filepath.Base(s.path)))
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), s.path)
}

// is reports whether f is a placeholder and still the one at the path.
func (s secret) is(f *os.File) bool {
	mine, err := f.Stat()
	there, err2 := os.Lstat(s.path)
	return err == nil && err2 == nil && os.SameFile(mine, there) && s.isPlaceholder()
}

// isPlaceholder reports whether the path holds a placeholder.
func (s secret) isPlaceholder() bool {
	ours, err := s.checkPlaceholder()
	return ours && err == nil
}

// checkPlaceholder reports whether the path holds a placeholder. A path that
// disappears during the check is an error: another placeholder may be there by
// now.
func (s secret) checkPlaceholder() (bool, error) {
	info, err := os.Lstat(s.path)
	if err != nil {
		return false, err
	}
	if !s.file {
		if info.Mode() != placeholderMode {
			return false, nil
		}
		entries, err := os.ReadDir(s.path)
		return err == nil && len(entries) == 0, gone(err)
	}
	want := placeholderText(filepath.Base(s.path))
	if !info.Mode().IsRegular() || info.Size() != int64(len(want)) {
		return false, nil
	}
	text, err := os.ReadFile(s.path)
	return err == nil && string(text) == want, gone(err)
}

// gone returns err where it means that something no longer exists.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// CreatePlaceholders creates placeholders where secrets do not exist yet and the
// process could create them: bubblewrap and Landlock can only protect paths that
// exist. Call it before Sandbox, which then finds them and makes them read-only.
// The returned function removes the placeholders that no other process uses; call
// it once the process has ended.
//
// A placeholder is an empty folder, or a file of comments. Several processes, of
// several ralphs, share one: each holds a shared lock on it. Placeholders of a
// killed ralph are harmless and are removed with the next one's.
func (p Profile) CreatePlaceholders() (leave func(), err error) {
	var taken []*placeholder
	leave = func() {
		for _, s := range slices.Backward(taken) {
			s.leave()
		}
	}
	open := p.rules()
	secrets := p.secrets()
	for _, file := range []bool{false, true} {
		for _, s := range secrets {
			path, ok := future(s.path)
			if s.file != file || !ok || p.private(path) || !p.creatable(open, path) {
				continue
			}
			in, err := take(secret{path, file})
			if err != nil {
				leave()
				return nil, fmt.Errorf("protect %s in the sandbox: %w", path, err)
			}
			if in != nil {
				taken = append(taken, in)
				open.add(rule{path: path}) // files cannot be created in a folder that is read-only now
			}
		}
	}
	return leave, nil
}

// creatable reports whether the process could create something at path. Paths in
// its own tree do not count.
func (p Profile) creatable(open rules, path string) bool {
	for _, g := range append(slices.Clone(p.Grants), p.Temp) {
		if r, ok := p.real(g); ok && within(path, r) {
			return false
		}
	}
	roof, ok := open.parent(path)
	return ok && roof.write && roof.from == ""
}

// future returns the real path of something that may not exist yet. A dangling
// link has none: its target is judged under its own name. What another process
// creates meanwhile does not change the answer.
func future(path string) (string, bool) {
	if !filepath.IsAbs(path) || path == "/" {
		return path, path == "/"
	}
	dir, ok := future(filepath.Dir(path))
	path = filepath.Join(dir, filepath.Base(path))
	if info, err := os.Lstat(path); ok && err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return real(path)
	}
	return path, ok
}

// powerless reports whether the user who runs ralph may not write there: then the
// processes it starts may not either.
func powerless(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errReadOnly)
}
