// Package eventtest holds the set of events of a machine to its rules: the tests of
// internal/loop and internal/plan call it.
package eventtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ralph/internal/journal"
)

// Closed checks that every event of the package under test is in its codec, and that the
// codec reads what it writes.
func Closed[E journal.Event](t *testing.T, codec journal.Codec[E]) {
	t.Helper()
	var got []string
	for name, typ := range codec.Types() {
		got = append(got, typ.Name())
		e := decode(t, codec, name, "{}")
		encoded, data, err := codec.Encode(e)
		if err != nil || encoded != name {
			t.Errorf("%T is encoded as %q: %v", e, encoded, err)
		}
		if back := decode(t, codec, name, string(data)); reflect.TypeOf(back) != typ {
			t.Errorf("%T came back as %T", e, back)
		}
	}
	slices.Sort(got)
	if want := stamped(t); !slices.Equal(got, want) {
		t.Errorf("decoded events %v\nevents in the source %v", got, want)
	}
}

// NoPaths checks that only a journal.Local event describes itself by a path, given all
// fields that hold one as JSON.
func NoPaths[E journal.Event](t *testing.T, codec journal.Codec[E], path, fields string) {
	t.Helper()
	for name := range codec.Types() {
		var e journal.Event = decode(t, codec, name, fields)
		_, local := e.(journal.Local)
		if names := strings.Contains(e.Describe(), path); names != local {
			t.Errorf("%s: its description names a path: %v, and it is a journal.Local: %v", name, names, local)
		}
	}
}

func decode[E journal.Event](t *testing.T, codec journal.Codec[E], name, data string) E {
	t.Helper()
	e, err := codec.Decode(name, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// stamped lists the types of the package under test that embed Stamp: the events.
func stamped(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if body, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(body.Fields.List, embedsStamp) {
					names = append(names, spec.Name.Name)
				}
			}
			return true
		})
	}
	slices.Sort(names)
	return names
}

func embedsStamp(f *ast.Field) bool {
	id, ok := f.Type.(*ast.Ident)
	return ok && id.Name == "Stamp" && len(f.Names) == 0
}
