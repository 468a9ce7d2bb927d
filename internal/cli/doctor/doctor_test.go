package doctor

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
)

// TestPrograms: what a command line needs, as far as it can be told; what
// cannot be told is not guessed.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                              nil,
		"   ":                           nil,
		"go test ./...":                 {"go"},
		"go vet ./... && go test ./...": {"go"},
		"cd web && npm test":            {"cd", "npm"},
		"make lint; make test":          {"make"},
		"go test -json | tee out":       {"go", "tee"},
		"CI=1 npm test":                 {"npm"},
		"A=1 B=2":                       nil,
		"./gradlew test":                {"./gradlew"},
		`echo "a && b"`:                 {"echo"},
		`sh -c 'x; y'`:                  {"sh"},
		"$(which go) test":              nil,
		"cat <in && no-such":            {"cat"},
		"\"quoted program\" x":          nil,
		"# nothing":                     nil,
		"(cd a && b)":                   nil,
		"pytest\nruff check":            {"pytest", "ruff"},
		"npm test 2>&1 | tee log":       {"npm"},
	} {
		if d := cmp.Diff(want, project.Programs(line)); d != "" {
			t.Errorf("%q (-want +got):\n%s", line, d)
		}
	}
}

// FuzzPrograms: every answer is a word of the line that a shell would take as
// it stands.
func FuzzPrograms(f *testing.F) {
	f.Add("cd web && CI=1 npm test | tee 'x'")
	f.Add("a 2>&1; b")
	f.Fuzz(func(t *testing.T, line string) {
		for _, word := range project.Programs(line) {
			if !strings.Contains(line, word) || strings.ContainsAny(word, " \t\n'\"`$|&;<>(){}") {
				t.Errorf("%q: %q", line, word)
			}
		}
	})
}

// TestWorstFindingDecides: a missing tool comes before everything else.
func TestWorstFindingDecides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		add  func(*checkup)
		want int
	}{
		{"nothing", func(*checkup) {}, exit.Done},
		{"warnings", func(c *checkup) { c.ok("a", "x"); c.note("b", "x"); c.warn("c", "", "x") }, exit.Done},
		{"failure", func(c *checkup) { c.warn("c", "", "x"); c.fail("d", "", "x") }, exit.Failed},
		{"tool", func(c *checkup) { c.fail("d", "", "x"); c.missing("e", "", "x"); c.ok("f", "x") }, exit.Missing},
	} {
		k := &checkup{}
		c.add(k)
		if got := k.code(); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.name, got, c.want)
		}
	}
}
