package canary

import (
	"path"
	"slices"
	"strings"
)

// MaxPlaces is the number of places that get a canary.
const MaxPlaces = 100

// Place is one file with canaries.
type Place struct {
	// At identifies the place on every commit: the folder of a Go package, else
	// the path of the file.
	At string
	// Path is the file to write, and Data its content.
	Path string
	Data []byte
	// Names are the names of the tests that must be reported as failed: part of
	// what the runner calls them.
	Names []string
}

// Places returns a canary for each place among the files of a commit, sorted, at
// most MaxPlaces of them. read returns the content of a file, word a new name of
// lower-case letters at each call. only limits the places to those with these
// values of At; nil is all. A file that cannot be read gets none.
func Places(files []string, read func(path string) ([]byte, error), word func() string, only []string) []Place {
	var out []Place
	done := map[string]bool{}
	for _, f := range slices.Sorted(slices.Values(files)) {
		k, at := kindOf(f)
		if k == nil || done[at] || only != nil && !slices.Contains(only, at) || len(out) == MaxPlaces {
			continue
		}
		data, err := read(f)
		if err != nil {
			continue
		}
		if p, ok := k(f, string(data), word, only != nil); ok {
			p.At = at
			out, done[at] = append(out, p), true
		}
	}
	return out
}

// kind writes a canary for a file of tests; false: it cannot. had: the file had
// tests on the base.
type kind func(file, text string, word func() string, had bool) (Place, bool)

// kindOf returns the kind of a file by its path, and its place. Installed packages
// and test data have none.
func kindOf(file string) (kind, string) {
	for part := range strings.SplitSeq(path.Dir(file), "/") {
		if slices.Contains([]string{"node_modules", "vendor", "testdata", "target", "__pycache__", "fixtures", "__snapshots__"}, part) || strings.HasPrefix(part, ".") && part != "." {
			return nil, ""
		}
	}
	base, ext := path.Base(file), path.Ext(file)
	name := strings.TrimSuffix(base, ext)
	switch {
	case strings.HasSuffix(base, "_test.go"):
		return golang, path.Dir(file)
	case ext == ".py" && (strings.HasPrefix(name, "test") || strings.HasSuffix(name, "_test") || strings.HasSuffix(name, "_tests")):
		return python, file
	case ext == ".rs":
		return rust, file
	case slices.Contains([]string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}, ext):
		return script(file, name), file
	}
	return nil, ""
}

// Unreported returns the places of which not every test is among the names of
// failed tests.
func Unreported(places []Place, failed []string) []Place {
	all := strings.Join(failed, "\n")
	return slices.DeleteFunc(slices.Clone(places), func(p Place) bool {
		return !slices.ContainsFunc(p.Names, func(n string) bool { return !strings.Contains(all, n) })
	})
}
