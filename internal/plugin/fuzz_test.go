package plugin

import (
	"os"
	"path/filepath"
	"testing"
)

// seeds are the files of testdata and what looks like more.
func seeds(f *testing.F, way string) {
	f.Helper()
	names, err := filepath.Glob("testdata/" + way + "/*.in")
	if err != nil || len(names) == 0 {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
}

// FuzzMerged: whatever a settings file holds, it is refused or keeps it.
func FuzzMerged(f *testing.F) {
	seeds(f, "hooks")
	seeds(f, "servers")
	f.Add([]byte("{\"hooks\":{\"Stop\":[/**/]//\r\n}}"))
	f.Add([]byte("\xef\xbb\xbf{\"hooks\":{}, \"hooks\":{\"Stop\":[1,]}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, way := range []string{"hooks", "servers"} {
			if e := ways(t)[way]; accepted(e, text) {
				holds(t, e, text)
			}
		}
	})
}

// FuzzTables is the same for Codex's settings.
func FuzzTables(f *testing.F) {
	seeds(f, "toml")
	f.Add([]byte("sandbox_workspace_write . writable_roots = [ # ]\n'''a''', \"b\" ,\n]"))
	f.Add([]byte("[mcp_servers]\r\n[[a]]\r\n[sandbox_workspace_write]#"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if accepted(codexTables(), text) {
			holds(t, codexTables(), text)
		}
	})
}

// FuzzBlock is the same for words.
func FuzzBlock(f *testing.F) {
	seeds(f, "block")
	f.Fuzz(func(t *testing.T, text []byte) {
		if b := (block{agentsText}); accepted(b, text) && !present(text) {
			holds(t, b, text)
		}
	})
}

func accepted(e edit, text []byte) bool {
	_, _, err := e.add(text)
	return err == nil
}

// present: the passage is there already, maybe with older words.
func present(text []byte) bool {
	from, _, _ := marked(text)
	return from >= 0
}
