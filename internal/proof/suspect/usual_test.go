package suspect

import (
	"strings"
	"testing"
)

// aSource is a file, and what it should be named for; "" is nothing.
type aSource struct{ file, text, want string }

func checkSources(t *testing.T, sources []aSource) {
	t.Helper()
	for _, c := range sources {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

// TestTypesOfLibraries: a declaration that only names a type of a library changes nothing there.
func TestTypesOfLibraries(t *testing.T) {
	t.Parallel()
	const imports = "package a\n\nimport (\n\t\"encoding/json\"\n\t\"io\"\n\t\"net/http\"\n)\n\n"
	checkSources(t, []aSource{
		{"a.go", imports + "var _ json.Marshaler = (*Set[int])(nil)\n", ""},
		{"a.go", imports + "var (\n\t_ json.Marshaler   = Set{}\n\t_ json.Unmarshaler = (*Set)(nil)\n)\n", ""},
		{"a.go", imports + "var out io.Writer = file\n\nvar c, d *http.Client = nil, nil\n\nvar all []http.Handler = nil\n", ""},
		{"a.go", imports + "func f() {\n\tif http.DefaultClient = c; ok {\n\t}\n}\n", "10 " + changesLibrary},
		{"a.go", imports + "func f() { *http.DefaultClient = http.Client{} }\n", "9 " + changesLibrary},
		{"a.go", imports + "func f() {\n\t_, io.EOF = 1, nil\n}\n", "10 " + changesLibrary},
		{"a.go", imports + "func f() {\n\tfor io.EOF = range errors {\n\t}\n\tselect {\n\tcase io.EOF = <-c:\n\t}\n}\n", "10 " + changesLibrary + ", 13 " + changesLibrary},
		{"a.go", imports + "func f() {\n\tfor _, io.EOF = range errors {\n\t}\n}\n", "10 " + changesLibrary},
	})
}
