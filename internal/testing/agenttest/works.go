package agenttest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

func works(t *testing.T, k Subject) {
	st := k.stage(t, k.good()...)
	out := k.run(t, st)
	wants(t, out, loop.EndDone, "")
	words, calls := "All done.", int64(1)
	seen := []agent.EventKind{agent.Session, agent.Text, agent.Result, agent.ToolUse}
	if k.Serves != nil {
		words, calls, seen = "I will work.All done.", 0, seen[:3]
	}
	if out.Words != words || out.Usage.ToolCalls == nil || *out.Usage.ToolCalls != calls {
		t.Errorf("got %+v", out)
	}
	if out.Version != k.Version || out.Untested || k.Serves == nil && out.Permissions != loop.PermissionsDefault || out.UnknownLines != 0 {
		t.Errorf("version %q, untested %v, permissions %q, %d unknown lines", out.Version, out.Untested, out.Permissions, out.UnknownLines)
	}
	if raw, _ := os.ReadFile(st.Job.Raw); !strings.Contains(string(raw), "done.") {
		t.Errorf("its output is kept as %q", raw)
	}
	kinds := st.Kinds()
	for _, kind := range seen {
		if kinds[kind] == 0 {
			t.Errorf("no event of kind %s in %v", kind, kinds)
		}
	}
}

// alone: a known program gets its prompt in its tree, and reports what its
// driver claims.
func alone(t *testing.T, k Subject) {
	st := k.stage(t, append([]Step{{Save: true}}, k.good()...)...)
	out := k.run(t, st)
	if out.Tested == "" {
		t.Error("it does not say which versions were tried")
	}
	if c := k.Driver.Capabilities(); c.Usage != (out.Usage.InputTokens != nil) || c.Cost != (out.Usage.CostMicroUSD != nil) {
		t.Errorf("it claims %+v and reports %+v", c, out.Usage)
	}
	saw := st.Saved(t)
	if !slices.Contains(saw.Env, "PWD="+st.Job.Tree) {
		t.Error("PWD is another folder than its tree")
	}
	if prompt, _ := os.ReadFile(st.Job.Prompt); saw.Stdin != string(prompt) || saw.Dir != st.Job.Tree {
		t.Errorf("it read %q in %s", saw.Stdin, saw.Dir)
	}
}

func settings(t *testing.T, k Subject) {
	st := k.stage(t, Step{Save: true}, Exit(1))
	st.Job.Agent.Model, st.Job.Agent.Args = "a-model", []string{"--extra", "two words"}
	st.Job.Agent.Env = map[string]string{"AN_ADDITION": "yes"}
	// The program has another name, and arguments before the driver's.
	if err := os.Rename(filepath.Join(st.Bin, k.program()), filepath.Join(st.Bin, "wrapped")); err != nil {
		t.Fatal(err)
	}
	st.Job.Agent.Argv = []string{filepath.Join(st.Bin, "wrapped"), "first"}
	k.run(t, st)
	saw := st.Saved(t)
	args := strings.Join(saw.Args, "\x00")
	if !strings.HasPrefix(args, "first\x00") || !strings.Contains(args, "a-model") || !strings.Contains(args, "--extra\x00two words") {
		t.Errorf("arguments %q", saw.Args)
	}
	if !slices.Contains(saw.Env, "AN_ADDITION=yes") {
		t.Error("the variable is missing")
	}
	if strings.Contains(args, "Do the work") {
		t.Error("the prompt is on the command line")
	}
}

func permissions(t *testing.T, k Subject) {
	n, _ := k.native()
	a := loop.Agent{Name: "x"}
	usual := n.CommandLine(a)
	a.Permissions = loop.PermissionsSkip
	if skip := n.CommandLine(a); slices.Equal(usual, skip) {
		t.Errorf("skipping permissions changes nothing: %q", skip)
	}
	a.Permissions = loop.PermissionsRead
	only := strings.Join(n.CommandLine(a), " ")
	if !strings.Contains(only, k.Reads) || strings.Contains(strings.Join(usual, " "), k.Reads) {
		t.Errorf("reading only: %q, want %q", only, k.Reads)
	}
	for _, word := range k.Writes {
		if strings.Contains(only, word) {
			t.Errorf("reading only: %q has %q", only, word)
		}
	}
	a.Permissions = loop.PermissionsDefault
	if !slices.Equal(usual, n.CommandLine(a)) {
		t.Error("the default is not the default")
	}
}

func sessions(t *testing.T, k Subject) {
	st := k.stage(t, k.good()...)
	first := k.run(t, st).Session
	st.Job.RunDir += "2"
	second := k.run(t, st).Session
	if k.Chosen && first == second {
		t.Errorf("two runs in one session %q", first)
	}
	st.Job.RunDir += "3"
	st.Job.Resume = &agent.Resume{Session: first}
	if again := k.run(t, st).Session; k.Chosen && again != first {
		t.Errorf("resumed %q as %q", first, again)
	}
}

// lost: a session that its program no longer knows is not resumed again.
func lost(t *testing.T, k Subject) {
	st := k.stage(t, Step{Err: "no such session\n"}, Exit(1))
	st.Job.Resume = &agent.Resume{Session: "11111111-2222-4333-8444-555555555555"}
	out := k.run(t, st)
	wants(t, out, loop.EndTransient, "no such session")
	if out.Session != "" {
		t.Errorf("it keeps the session %q", out.Session)
	}
}

func missing(t *testing.T, k Subject) {
	st := k.stage(t)
	if err := os.Remove(filepath.Join(st.Bin, k.program())); err != nil {
		t.Fatal(err)
	}
	st.Job.Env = append(st.Job.Env, "PATH="+st.Bin)
	wants(t, k.run(t, st), loop.EndPermanent, k.program())
}
