package gate

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// startsGo matches a call in a test that starts the go command, or asks for its path.
var startsGo = lazyregexp.New(`\bexec\.(?:Command\(|CommandContext\(\s*[^"\n]*,)\s*"go"\s*[,)]|\bLookPath\(\s*"go"\s*\)`)

const (
	// mostEntries and mostGoTests bound the files that testsStartGo sees and reads,
	// longestGoTest the bytes of one.
	mostEntries, mostGoTests, longestGoTest = 20_000, 1_000, 1 << 20
)

// unasked are folders whose tests `go test ./...` does not run.
var unasked = []string{"testdata", "vendor", "node_modules"}

// testsStartGo reports whether a file of tests in the gate's folder starts go itself. That go
// would hear GOFLAGS=-v, too, and print more than the test expects of it.
func (e *evaluation) testsStartGo() (starts bool) {
	entries, tests := 0, 0
	_ = fs.WalkDir(e.tree.root.FS(), e.tree.dir, func(name string, d fs.DirEntry, err error) error {
		if entries++; entries > mostEntries || tests > mostGoTests {
			return fs.SkipAll
		}
		base := path.Base(name)
		switch {
		case err != nil:
			return nil //nolint:nilerr // a folder that cannot be read holds no tests that run
		case d.IsDir() && name != e.tree.dir && (strings.ContainsAny(base[:1], "._") || slices.Contains(unasked, base)):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(base, "_test.go"):
			return nil
		}
		tests++
		if data, err := e.tree.read(name, longestGoTest); err == nil && startsGo.MatchString(string(data)) {
			starts = true
			return fs.SkipAll
		}
		return nil
	})
	return starts
}

// unheardByTests takes the options that ralph adds for names out of GOFLAGS again where tests
// start go themselves: had is the environment without them. The names are unknown then.
func (e *evaluation) unheardByTests(env, had []string) []string {
	if value := lookup(had, "GOFLAGS"); value != lookup(env, "GOFLAGS") && e.testsStartGo() {
		return environment(env, map[string]string{"GOFLAGS": value})
	}
	return env
}
