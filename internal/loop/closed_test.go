package loop

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"ralph/internal/testing/eventtest"
)

// allEvents is one of each, made by its decoder.
func allEvents(at Stamp) []Event {
	var out []Event
	for _, name := range Events().Names() {
		e, err := Decode(name, []byte(`{"at":"`+at.At.Format("2006-01-02T15:04:05Z07:00")+`"}`))
		if err != nil {
			panic(err)
		}
		out = append(out, e)
	}
	return out
}

// source is the package as it is written, without tests.
func source(t *testing.T) []*ast.File {
	t.Helper()
	notTest := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	//nolint:staticcheck // build tags do not matter here: the package has none
	packages, err := parser.ParseDir(token.NewFileSet(), ".", notTest, 0)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, p := range packages {
		for _, f := range p.Files {
			files = append(files, f)
		}
	}
	return files
}

func TestEveryEventIsNamedAndDecoded(t *testing.T) {
	t.Parallel()
	eventtest.Closed(t, Events())
}

// Paths of a machine are in the descriptions of journal.Local events only: logs of
// several machines leave these out.
func TestDescriptionsNameNoPath(t *testing.T) {
	t.Parallel()
	const path = "/home/someone/tree"
	eventtest.NoPaths(t, Events(), path, `{"worktree":"`+path+`","gate_tree":"`+path+`","root":"`+path+`","prompt_file":"`+path+`","outcome":{"output_file":"`+path+`"},"result":{"output_file":"`+path+`"}}`)
}

// constants lists the values of one type that the source declares.
func constants(files []*ast.File, typ string) []string {
	var out []string
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if id, ok := v.Type.(*ast.Ident); ok && id.Name == typ {
				for _, lit := range v.Values {
					out = append(out, strings.Trim(lit.(*ast.BasicLit).Value, `"`))
				}
			}
			return true
		})
	}
	slices.Sort(out)
	return out
}

func TestEveryReasonBelongsToAStatus(t *testing.T) {
	t.Parallel()
	var got []string
	for _, reasons := range Reasons() {
		for _, r := range reasons {
			got = append(got, string(r))
		}
	}
	slices.Sort(got)
	got = slices.Compact(got) // an imported loop may have ended in any way
	if want := constants(source(t), "Reason"); !slices.Equal(got, want) {
		t.Errorf("Reasons() has %v\nthe source has %v", got, want)
	}
}

// TestEveryActionIsDone: the world that the tests play knows every action.
func TestEveryActionIsDone(t *testing.T) {
	t.Parallel()
	want := []string{"agent", "commit", "gate", "keep", "nothing", "prepare", "prove", "review", "tidy", "verify", "wait"}
	if got := constants(source(t), "Do"); !slices.Equal(got, want) {
		t.Errorf("the actions are %v; teach the world of the tests the new ones", got)
	}
}

// stranger has all that an event needs, and is not one of the set.
type stranger struct{ Stamp }

func (stranger) Name() string        { return "stranger" }
func (stranger) apply(*State) string { return "" }

func TestForeignEventsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.do(Acquired{Stamp: w.stamp()})
	for _, e := range []Event{nil, stranger{w.stamp()}, &Tidied{Stamp: w.stamp()}} {
		w.refuses(e)
		if _, _, err := Encode(e); err == nil {
			t.Errorf("%T was encoded", e)
		}
	}
	if _, err := Decode("nonsense", []byte("{}")); err == nil {
		t.Error("an unknown name was decoded")
	}
	if _, err := Decode("tidied", []byte("[")); err == nil {
		t.Error("broken JSON was decoded")
	}
}
