package detect

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The maximum read of one file and of one tree.
const (
	maxFile    = 1 << 20
	maxEntries = 20_000
)

// exists reports whether a file or folder is there.
func (s *scanner) exists(name string) bool {
	_, err := fs.Stat(s.fsys, s.at(name))
	return err == nil
}

// first returns the first of the names that is a file.
func (s *scanner) first(names ...string) string {
	for _, name := range names {
		if info, err := fs.Stat(s.fsys, s.at(name)); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// read returns a file's text, empty where there is none.
func (s *scanner) read(name string) string {
	if s.first(name) == "" {
		return ""
	}
	f, err := s.fsys.Open(s.at(name))
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(string(data), "\ufeff")
}

// section reports whether a file of sections, as in TOML and INI, has one that
// starts so: "[tool.pytest" for [tool.pytest.ini_options].
func (s *scanner) section(file, head string) bool {
	for line := range strings.Lines(s.read(file)) {
		if strings.HasPrefix(strings.TrimSpace(line), head) {
			return true
		}
	}
	return false
}

// list returns the names of the files in a folder, sorted.
func (s *scanner) list(dir string) []string {
	entries, err := fs.ReadDir(s.fsys, path.Clean(s.at(dir)+"/."))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// contains searches the tree for a file that match accepts. It stops at
// folders with third-party code, and returns true where the tree is too
// large to know.
func (s *scanner) contains(match func(name string) bool) bool {
	seen, found := 0, false
	root := path.Clean(s.at(".") + "/.")
	err := fs.WalkDir(s.fsys, root, func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir() && name != root && skipped(d.Name()):
			return fs.SkipDir
		case seen > maxEntries || !d.IsDir() && match(d.Name()):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return err == nil && found
}

// skipped are folders with third-party or generated code.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || slices.Contains([]string{
		"node_modules", "bower_components", "vendor", "third_party", "testdata", "fixtures",
		"dist", "build", "out", "target", "venv", "env", "site-packages",
	}, name)
}
