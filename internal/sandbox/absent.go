package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Occupy puts stand-ins in the places of secrets that are not there and could be
// made by the process: what is not there cannot be held. It is called before
// Enter, which then finds something to lock. The function that it answers is
// called when the process has ended, and removes those that nobody uses any more.
//
// A stand-in is an empty folder, or a file of comments. Several processes, of
// several ralphs, share one: each holds a shared lock on it. Those of a killed
// ralph are harmless, and go with the next one's.
func (p Profile) Occupy() (leave func(), err error) {
	var taken []*standIn
	leave = func() {
		for _, s := range slices.Backward(taken) {
			s.leave()
		}
	}
	open := p.claims()
	secrets := p.secrets()
	for _, file := range []bool{false, true} {
		for _, s := range secrets {
			path, ok := future(s.path)
			if s.file != file || !ok || !p.makeable(open, path) {
				continue
			}
			in, err := take(secret{path, file})
			if err != nil {
				leave()
				return nil, fmt.Errorf("keep %s from being made in the sandbox: %w", path, err)
			}
			if in != nil {
				taken = append(taken, in)
				open.add(claim{path: path}) // in a folder that is locked now no file can be made
			}
		}
	}
	return leave, nil
}

// makeable says whether the process could make something at path. What lies in
// its own tree is its own.
func (p Profile) makeable(open claims, path string) bool {
	for _, g := range append(slices.Clone(p.Grants), p.Temp) {
		if r, ok := real(g); ok && within(path, r) {
			return false
		}
	}
	roof, ok := open.over(path)
	return ok && roof.write && roof.from == ""
}

// future is the real path of what may not exist yet. A link has none: what it
// leads to is judged by its own name.
func future(path string) (string, bool) {
	if r, ok := real(path); ok {
		return r, true
	}
	if _, err := os.Lstat(path); err == nil || !filepath.IsAbs(path) || path == "/" {
		return "", false
	}
	dir, ok := future(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), ok
}

// powerless says that who runs ralph may not make something there: neither may
// what it starts.
func powerless(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errReadOnly)
}
