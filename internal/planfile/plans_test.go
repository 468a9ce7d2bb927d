package planfile

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

const plansDir = "testdata/plans"

// plans are real-looking files in every format, by their paths.
func plans(tb testing.TB) map[string][]byte {
	tb.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(plansDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(plansDir, path)
		all[filepath.ToSlash(name)] = data
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func mustRead(tb testing.TB, name string, data []byte) File {
	tb.Helper()
	f, err := Read(name, data)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return f
}

// What is read of each of them stands in a golden file. How lines end changes
// nothing, nor does a byte order mark.
func TestPlans(t *testing.T) {
	t.Parallel()
	seen := map[Format]bool{}
	for name, data := range plans(t) {
		f := mustRead(t, name, data)
		seen[f.Format] = true
		object := AsObject(f.Plan)
		object.File, object.Format, object.Warnings = name, f.Format, f.Warnings
		got, err := json.MarshalIndent(object, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", "golden", strings.ReplaceAll(strings.TrimPrefix(name, "."), "/", "_")+".golden")
		if *update {
			if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := differ(string(want), string(got)+"\n"); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		windows := mustRead(t, name, []byte(byteOrderMark+strings.ReplaceAll(string(data), "\n", "\r\n")))
		if diff := differ(f, windows); diff != "" && f.Format != Object { // its text holds the line ends
			t.Errorf("%s on Windows: %s", name, diff)
		}
	}
	for _, f := range Formats() {
		if !seen[f] {
			t.Errorf("no plan in the format %s", f)
		}
	}
}

// Nothing to write is nothing written.
func TestWriteNothing(t *testing.T) {
	t.Parallel()
	for name, data := range plans(t) {
		for _, text := range variants(data) {
			f := mustRead(t, name, text)
			if w := f.Write(nil); !bytes.Equal(w.Data, text) || len(w.Edits)+len(w.Left) > 0 {
				t.Errorf("%s: %q, %v, %v", name, w.Data, w.Edits, w.Left)
			}
			if w := Merge(f, text, nil); !bytes.Equal(w.Data, text) || len(w.Edits)+len(w.Left) > 0 {
				t.Errorf("%s, merged: %q, %v, %v", name, w.Data, w.Edits, w.Left)
			}
		}
	}
}

// variants are a file as other editors save it: line ends, a byte order mark, no
// line end at the end.
func variants(data []byte) [][]byte {
	crlf := bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
	return [][]byte{data, crlf, append([]byte(byteOrderMark), data...), bytes.TrimRight(data, "\n")}
}
