package agenttest

import (
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Fuzz feeds a driver arbitrary bytes, starting from the recorded runs. The
// driver must not panic, must keep within bounds, and must not report success
// for a failed exit.
func Fuzz(f *testing.F, l stream.Launch, dialect func(agent.Job) stream.Dialect) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no recorded runs: %v", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		parts := map[string][]byte{}
		for _, p := range a.Files {
			parts[p.Name] = p.Data
		}
		f.Add(parts["stdout"], parts["stderr"], string(parts["exit"]))
	}
	f.Add([]byte("{\"type\":\n\xff{}\n{{{\n\n[]"), []byte("\xff\n\n"), "0")
	f.Fuzz(func(t *testing.T, stdout, stderr []byte, exit string) {
		run := ending(exit)
		got := Read(l, dialect, stdout, stderr, run)
		out := got.Outcome
		if out.End == loop.EndDone && (run.Code == nil || *run.Code != 0 || run.TimedOut) {
			t.Errorf("success after %q: %+v", exit, out)
		}
		if out.End == "" || out.End == loop.EndAsked {
			t.Errorf("it ended as %q", out.End)
		}
		for _, s := range []string{out.Message, out.Words, out.Model, out.Session, out.Version} {
			if !utf8.ValidString(s) || len(s) > 10<<10 {
				t.Errorf("%d bytes of %q", len(s), s[:min(len(s), 100)])
			}
		}
		if len(out.Denials) > 100 {
			t.Errorf("%d denials", len(out.Denials))
		}
	})
}
