package canary

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/proof/syntax"
)

// maxPlaces is the number of places that get a canary.
const maxPlaces = 100

// Place is one file with canaries.
type Place struct {
	// At identifies the place on every commit: the folder of a Go package, else
	// the path of the file.
	At string
	// Module is the name of the Go module at the root of the repository, for its own
	// package; empty where it is unknown.
	Module string
	// Path is the file to write, and Data its content.
	Path string
	Data []byte
	// Names are the names of the tests that must be reported as failed: part of
	// what the runner calls them.
	Names []string
	// Own are the names of the project's own tests that are made to fail, and Edited
	// the files besides Path that do it.
	Own    []string
	Edited []File
	// Other are those of Own that expect another value than they did.
	Other []string
	// Near are tests that ask functions of the work for numbers near those of the tests.
	Near []Near
}

// File is a file to write.
type File struct {
	Path string
	Data []byte
}

// Options say which canaries to make.
type Options struct {
	// Only limits the places to those with these values of At; nil is all.
	Only []string
	// Own makes the tests of the project fail, too: see Place.Own.
	Own bool
	// Beside puts the canaries into files of their own and changes no other file: what
	// knows the project's tests finds all of them as they were. Only Go and Python have
	// such places, one for each folder.
	Beside bool
	// Bare are places, by At, that get canaries in place of their tests: whether the
	// gate runs them can be seen although they do not load.
	Bare []string
	// Work are the files that the work changed: their functions are asked for numbers near
	// those of the tests. Go, Python and JavaScript have such tests.
	Work []string
	// Task is the text of the task, whose examples these functions are asked, too.
	Task string
}

// Places returns a canary for each place among the files of a commit, sorted, at
// most maxPlaces of them. read returns the content of a file, nil of one that is too large
// for a test, which gets none; word a new name of lower-case letters at each call.
func Places(files []string, read func(path string) ([]byte, error), word func() string, o Options) ([]Place, error) {
	var out []Place
	at := map[string]int{}
	own := 0
	for _, f := range slices.Sorted(slices.Values(files)) {
		k, place := kindOf(f)
		if o.Beside {
			k, place = besideOf(f)
		}
		var rest func(string) string
		bare := slices.Contains(o.Bare, place)
		if k != nil && bare {
			k, rest = bareOf(f)
		}
		i, done := at[place]
		if k == nil || o.Only != nil && !slices.Contains(o.Only, place) || !done && len(out) == maxPlaces || done && !o.Own && !bare {
			continue
		}
		data, err := read(f)
		if err != nil {
			return nil, fmt.Errorf("read %s for a canary: %w", f, err)
		}
		if data == nil {
			continue
		}
		text, names, other := string(data), []string(nil), []string(nil)
		if o.Own && !bare {
			if text, names, other = failing(f, text, word); own+len(names) > maxOwn {
				text, names, other = string(data), nil, nil
			}
		}
		if !done {
			p, ok := k(f, text, word, o.Only != nil)
			if !ok {
				continue
			}
			p.At, i = place, len(out)
			out, at[place] = append(out, p), i
		}
		if rest != nil && syntax.GoPackage.MatchString(text) && !strings.Contains(text, "//go:build") {
			out[i].Edited = append(out[i].Edited, File{Path: f, Data: []byte(rest(text))})
		}
		own += len(names)
		out[i].Other = append(out[i].Other, other...)
		if out[i].Own = append(out[i].Own, names...); len(names) > 0 && out[i].Path != f {
			out[i].Edited = append(out[i].Edited, File{Path: f, Data: []byte(text)})
		}
	}
	if len(o.Work) > 0 {
		if err := addNear(out, files, read, word, o.Work, o.Task); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// TestFiles are those that may hold tests: Places reads them, and Options.Work.
func TestFiles(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool { k, _ := kindOf(f); return k == nil })
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
	case strings.HasSuffix(base, "_spec.rb"):
		return rspec, file
	case ext == ".php" && strings.HasSuffix(name, "Test"):
		return phpunit, file
	case ext == ".java" && inJavaTests(file):
		return java, path.Dir(file)
	case ext == ".rs":
		return rust, file
	case slices.Contains(scriptEnds, ext):
		return script(file, name), file
	}
	return nil, ""
}

// scriptEnds are the endings of sources of JavaScript and TypeScript.
var scriptEnds = []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}

// besideOf returns the kind of a canary in a file of its own, and its place.
func besideOf(file string) (kind, string) {
	switch k, _ := kindOf(file); {
	case k == nil:
	case path.Ext(file) == ".go":
		return golang, path.Dir(file)
	case path.Ext(file) == ".py":
		return pythonBeside, path.Dir(file)
	}
	return nil, ""
}

// Fitted are the functions, sorted, that answer the numbers of the tests and none near
// them, by the names of failed tests.
func Fitted(places []Place, failed []string) (functions []string) {
	return failedOf(places, failed, func(n Near) (test, name string) { return n.Test, n.Function })
}

// Loose are the functions, sorted, that answer with what equals any value.
func Loose(places []Place, failed []string) (functions []string) {
	return failedOf(places, failed, func(n Near) (test, name string) { return n.Equals, n.Function })
}

// Broken are the examples of the task, sorted, that do not hold.
func Broken(places []Place, failed []string) (examples []string) {
	return failedOf(places, failed, func(n Near) (test, name string) { return n.Test, n.Example })
}

func failedOf(places []Place, failed []string, of func(Near) (test, name string)) (names []string) {
	all := strings.Join(failed, "\n")
	for _, p := range places {
		for _, n := range p.Near {
			if test, name := of(n); test != "" && name != "" && strings.Contains(all, test) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Unreported returns the places of which not every test is among the names of
// failed tests.
func Unreported(places []Place, failed []string) []Place {
	all := strings.Join(failed, "\n")
	return slices.DeleteFunc(slices.Clone(places), func(p Place) bool {
		return !slices.ContainsFunc(p.Names, func(n string) bool { return !strings.Contains(all, n) })
	})
}
