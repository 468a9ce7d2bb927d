package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// TestCorruptInput: what cannot be read is an error with its line, and imports
// nothing.
func TestCorruptInput(t *testing.T) {
	t.Parallel()
	only := func(parse parser) func([]byte) error {
		return func(data []byte) error { _, _, err := parse(data); return err }
	}
	aiwg, markdown := only(ParseAiwg), only(ParseStateMarkdown)
	patterns := func(data []byte) error { _, _, err := ParsePatterns(data); return err }
	registry := func(data []byte) error { _, _, err := ParseRegistry(data); return err }
	for name, c := range map[string]struct {
		parse func([]byte) error
		data  string
		line  int
		why   string
	}{
		"empty":                       {aiwg, "", 0, "is empty"},
		"blank":                       {aiwg, " \n\t\n", 0, "is empty"},
		"cut off":                     {aiwg, "{\n  \"loopId\": \"a\",\n  \"task", 3, "ends in the middle"},
		"cut off after a comma":       {aiwg, "{\n  \"loopId\": \"a\",\n", 2, "ends in the middle"},
		"a stray comma":               {aiwg, "{\n  \"loopId\": \"a\",\n  ,\n}", 3, "is not valid JSON"},
		"a list":                      {aiwg, "[1]", 1, "is not a JSON object but of type array"},
		"null":                        {aiwg, "null", 1, "is not a JSON object but null"},
		"two objects":                 {aiwg, "{}\n\n{}", 3, "something follows the end"},
		"agileflow cut off":           {only(ParseAgileFlow), "{\n\"loop_id\":", 2, "ends in the middle"},
		"external, a text":            {only(ParseExternal), `"x"`, 1, "is not a JSON object but of type string"},
		"registry, a number":          {registry, "\n7", 2, "is not a JSON object but of type number"},
		"patterns cut off":            {patterns, "[\n{\"a\": 1},\n{\"b\"", 3, "ends in the middle"},
		"patterns twice":              {patterns, "[]\n[]", 2, "something follows the end of the list"},
		"state, no settings":          {markdown, "# Task\n", 1, "does not begin with ---"},
		"state, settings not closed":  {markdown, "---\ntask_id: x\nmore: 1\n", 3, "ends before the ---"},
		"state, not YAML":             {markdown, "---\ntask_id: x\nmore: [1\n---\n", 4, "not valid YAML"},
		"state, a list":               {markdown, "---\n- x\n---\n", 2, "not keys and values"},
		"state, an alias":             {markdown, "---\na: &a x\ntask_id: *a\n---\n", 3, "uses an alias"},
		"state, without its task":     {markdown, "---\niteration: 3\n---\n", 2, "has no task_id"},
		"state, nested without bound": {markdown, "---\na: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "\n---\n", 2, "nests its settings too deep"},
		"claude, Windows line ends":   {only(ParseClaude), "---\r\na: b\r\n", 2, "ends before the ---"},
	} {
		err := c.parse([]byte(c.data))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Line != c.line || !strings.Contains(e.Why, c.why) {
			t.Errorf("%s: got %v (%+v), want line %d: %s", name, err, e, c.line, c.why)
		}
	}
}

// TestProblemsNameFileAndLine: what Look reports can be opened in an editor, and
// a corrupt file does not hide its neighbours.
func TestProblemsNameFileAndLine(t *testing.T) {
	t.Parallel()
	const dir = ".agileflow/sessions/agent-loops/"
	seen := Look(fstest.MapFS{
		dir + "bad.json":  {Data: []byte("{\n\"loop_id\": }"), Mode: 0o644},
		dir + "good.json": {Data: []byte(`{"loop_id": "good", "quality_gate": "tests", "status": "running"}`), Mode: 0o644},
		dir + "none.json": {Mode: 0o644},
	})
	if got := fmt.Sprint(seen.Problems); len(seen.Problems) != 2 || !strings.Contains(got, dir+"bad.json:2: is not valid JSON") || !strings.Contains(got, dir+"none.json: is empty") {
		t.Errorf("problems: %s", got)
	}
	if len(seen.Found) != 1 || seen.Found[0].ID != "good" {
		t.Errorf("found: %+v", seen.Found)
	}
}

// TestHostileNames: an id can be any text; the names made of it are safe as file
// names.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "..", "../../etc/passwd", "a\x00b", "a\nb", "CON", ".hidden", "-rf", strings.Repeat("x", 5000), "\xff\xfe", "ünïcode", "a/b\\c", " "} {
		f := Found{Kind: Aiwg, ID: id, Task: "t\n" + id, SHA256: strings.Repeat("a", 64)}
		n := 0
		for name := range f.Names() {
			if !fs.ValidPath(name) || name == "." || len(name) > 64 || strings.ContainsAny(name, "/\\ \x00\n") || strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") {
				t.Errorf("%.40q gives the name %q", id, name)
			}
			if n++; n == 5 {
				break
			}
		}
		if n == 0 {
			t.Errorf("%.40q gives no name", id)
		}
	}
}
