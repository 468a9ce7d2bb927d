package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/gate/coverage"
	"ralph/internal/scope"
)

// errNoReport: printed coverage has no values for single files.
var errNoReport = errors.New("the gate counts only the files of the scope, and the command wrote no report with a value for each file")

// scopedCoverage counts only the files of the scope. An ambiguous file is an
// error: a file that is left out by mistake could be the untested one.
func scopedCoverage(t *tree, globs []string, data []byte) (coverage.Value, error) {
	files, format, err := coverage.Files(data)
	if err != nil {
		return coverage.Value{}, err
	}
	names, err := namesOf(t)
	if err != nil {
		return coverage.Value{}, err
	}
	var in []coverage.File
	seen := map[string]bool{}
	for _, f := range files {
		ours, err := names.inScope(f.Name, format, globs)
		if err != nil {
			return coverage.Value{}, err
		}
		if ours {
			in = append(in, f)
			seen[f.Name] = true
		}
	}
	v, err := coverage.Sum(in, format)
	if errors.Is(err, coverage.ErrEmpty) {
		err = fmt.Errorf("none of its %d files with lines to cover is in the scope %s", len(files), strings.Join(globs, ", "))
	}
	v.Files = len(seen)
	return v, err
}

// names are the files of the tree, to find which one a report means.
type names struct {
	t *tree
	// all paths below the root, and of each base name those that have it.
	all  map[string]bool
	base map[string][]string
	// modules are the folders of Go modules by their paths.
	modules map[string]string
}

// namesOf walks the tree, without installed packages.
func namesOf(t *tree) (*names, error) {
	n := &names{t: t, all: map[string]bool{}, base: map[string][]string{}, modules: map[string]string{}}
	err := fs.WalkDir(t.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		case d.Name() == "go.mod":
			n.module(name)
		}
		n.all[name] = true
		n.base[d.Name()] = append(n.base[d.Name()], name)
		return nil
	})
	return n, err
}

const largestModuleFile = 1 << 20

func (n *names) module(name string) {
	data, err := n.t.read(name, largestModuleFile)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
			n.modules[strings.Trim(words[1], "\"`")] = path.Dir(name)
			return
		}
	}
}

// inScope finds the file that a report means and reports whether it is in the
// scope.
func (n *names) inScope(name, format string, globs []string) (bool, error) {
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch {
	case format == coverage.GoProfile:
		file, ours := n.imported(slashed)
		return ours && scope.Match(globs, file), nil
	case path.IsAbs(slashed) || filepath.IsAbs(name):
		file, ours := n.absolute(name)
		return ours && scope.Match(globs, file), nil
	}
	slashed = path.Clean(slashed)
	for _, file := range []string{path.Join(n.t.dir, slashed), slashed} {
		if n.all[file] {
			return scope.Match(globs, file), nil
		}
	}
	return n.below(name, slashed, globs)
}

// imported returns the file of an import path, if one of the tree's modules has
// it.
func (n *names) imported(name string) (string, bool) {
	for module := name; module != "."; module = path.Dir(module) {
		if dir, ours := n.modules[module]; ours {
			return path.Join(dir, strings.TrimPrefix(name, module)), true
		}
		if module == path.Dir(module) {
			break
		}
	}
	return "", false
}

// absolute returns a path below the root of the tree, whose own path may contain
// links.
func (n *names) absolute(name string) (string, bool) {
	roots := []string{n.t.path}
	if real, err := filepath.EvalSymlinks(n.t.path); err == nil {
		roots = append(roots, real)
	}
	for _, root := range roots {
		if rel, err := filepath.Rel(root, filepath.FromSlash(name)); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// below finds files whose paths end like a name that is relative to an unknown
// source folder. All of them must agree.
func (n *names) below(name, slashed string, globs []string) (bool, error) {
	found := slices.DeleteFunc(slices.Clone(n.base[path.Base(slashed)]), func(file string) bool {
		return !strings.HasSuffix(file, "/"+slashed)
	})
	in := 0
	for _, file := range found {
		if scope.Match(globs, file) {
			in++
		}
	}
	switch {
	case len(found) == 0:
		return false, fmt.Errorf("it names %s, and there is no such file: whether it is in the scope cannot be told", name)
	case in != 0 && in != len(found):
		return false, fmt.Errorf("it names %s, which could be %s: whether it is in the scope cannot be told", name, strings.Join(found[:min(len(found), 3)], " or "))
	}
	return in > 0, nil
}
