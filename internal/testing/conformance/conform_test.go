package main

import (
	"os"
	"strings"
	"testing"

	"ralph/internal/testing/tier"
)

// The pinned versions are among those of the drivers and on the page.
func TestPinnedVersions(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clients() {
		if !c.adapter && !c.native().Tested().Include(c.version) {
			t.Errorf("%s %s is not among the tested versions (%s)", c.name, c.version, c.native().Tested())
		}
		if !strings.Contains(string(page), "("+c.version+")") && !strings.Contains(string(page), c.command()+" "+c.version) {
			t.Errorf("docs/agents.md does not name %s %s", c.name, c.version)
		}
	}
}

// Every case has a name, a row and an expectation; a quick run has a success
// and a failure.
func TestTrials(t *testing.T) {
	t.Parallel()
	names, quick := map[string]bool{}, 0
	for _, tr := range trials() {
		if tr.name == "" || tr.title == "" || tr.scene == nil || tr.want == nil || names[tr.name] || strings.Contains(tr.title, "|") {
			t.Errorf("case %q", tr.name)
		}
		names[tr.name] = true
		if tr.quick {
			quick++
		}
	}
	if quick != 2 {
		t.Errorf("%d quick cases", quick)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	b := &bench{options: options{agents: "codex,gemini", cases: "success"}}
	got := b.table(map[key]result{
		{"codex", "success"}: {cell: "passed"}, {"gemini", "success"}: {cell: "failed", wrong: []string{"it should not"}},
	})
	want := "| | Codex 0.169.0 | Gemini CLI 0.61.0 |\n|---|---|---|\n| a file and a command, the gate passes | passed | **not as it should be**: failed |\n"
	if got != want {
		t.Errorf("got %s", got)
	}
}

// A process is found by its mark, and its children by their parent.
func TestMarked(t *testing.T) {
	mark := "CONFORM_CASE=test-of-marks-" + t.Name()
	if len(marked(mark)) != 0 {
		t.Fatal("somebody has the mark")
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p, err := os.StartProcess("/bin/sleep", []string{"sleep", "60"}, &os.ProcAttr{Env: []string{mark}, Files: []*os.File{null, null, null}})
	if err != nil {
		tier.SkipLacking(t, "/bin/sleep", err)
	}
	found := marked(mark)
	for len(found) == 0 {
		found = marked(mark) // it has not begun yet
	}
	if found[0].pid != p.Pid {
		t.Errorf("found %+v", found)
	}
	mine := 0
	for _, c := range children(os.Getpid()) {
		if c.pid == p.Pid {
			mine++
		}
	}
	if mine != 1 {
		t.Errorf("%d children", mine)
	}
	_ = p.Kill()
	_, _ = p.Wait()
	if len(marked(mark)) != 0 {
		t.Error("it is still there")
	}
}
