package migrate

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzParse gives any bytes to every parser: what comes out is a loop that the
// machine takes, or an error that tells where.
func FuzzParse(f *testing.F) {
	fixtures, _ := filepath.Glob("testdata/look/*.txtar")
	for _, name := range fixtures {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(file.Data)
		}
	}
	for _, seed := range []string{
		"---\na: &x [1]\nb: *x\n---\n", "---\n<<: {task_id: a}\n---\n", "---\r\ntask_id: a\r\n---\r\n```\r\n", "\xef\xbb\xbf---\ntask_id: .nan\n---\n| 1 | a | b | yes |\n",
		`{"iteration": 1e400, "status": {"a": []}}`, `{"quality_gate": "tests", "events": [{"iter": 3}, {"iter": 1, "at": 1e12}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, parse := range []parser{ParseAiwg, ParseExternal, ParseAgileFlow, ParseStateMarkdown, ParseStateJSON, ParseClaude} {
			found, _, err := parse(data)
			if err != nil {
				if e, ok := errors.AsType[*Error](err); !ok || e.Why == "" || e.Line < 0 {
					t.Fatalf("an error that tells nothing: %v", err)
				}
				continue
			}
			found.Source = "x"
			found.endUsedUp()
			if err := sound(found); err != nil {
				t.Fatal(err)
			}
		}
		if r, _, err := ParseRegistry(data); err == nil {
			for _, found := range r.Loops {
				found.endUsedUp()
				if err := sound(found); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// FuzzCommand: whatever is taken for a command is on one line and was written in
// the criterion.
func FuzzCommand(f *testing.F) {
	f.Add("npm test passes")
	f.Fuzz(func(t *testing.T, text string) {
		found := Found{Completion: text}
		if command, ok := found.Command(); ok && (command == "" || len(command) > len(text)) {
			t.Errorf("%q of %q", command, text)
		}
	})
}
