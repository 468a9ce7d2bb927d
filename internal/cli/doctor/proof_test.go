package doctor

import (
	"strings"
	"testing"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/loop"
)

// attempt is a run of an agent that ended well and wrote a file.
func attempt(change func(*loop.Attempt)) loop.State {
	at := loop.Attempt{
		Agent: loop.Outcome{End: loop.EndDone}, Changed: true, Files: []string{tryFile}, Commit: "0123456789abcdef",
		Results: []loop.Result{{Verdict: loop.Passed}},
	}
	change(&at)
	return loop.State{Status: loop.StatusFailed, Recent: []loop.Attempt{at}}
}

// TestProofs: each step of a try is proved or not by what the loop recorded, and
// what could not be tried is not called broken.
func TestProofs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		state loop.State
		want  string
	}{
		{"all is well", attempt(func(*loop.Attempt) {}), "answers ok, writes ok, commits ok, gate ok"},
		{"never started", loop.State{Message: "no such program"}, "starts fail"},
		{"no answer", attempt(func(a *loop.Attempt) { a.Agent.End, a.Changed = loop.EndFailed, false }), "answers fail, writes note, commits note, gate note"},
		{"nothing written", attempt(func(a *loop.Attempt) { a.Files, a.Commit, a.Changed = nil, "", false }), "answers ok, writes fail, commits fail"},
		{"red gate", attempt(func(a *loop.Attempt) { a.Results[0].Verdict = loop.Failed }), "answers ok, writes ok, commits ok, gate fail"},
		{"no gate", attempt(func(a *loop.Attempt) { a.Results = nil }), "answers ok, writes ok, commits ok, gate fail"},
		{"an untested version", attempt(func(a *loop.Attempt) { a.Agent.Untested = true }), "answers note, writes ok, commits ok, gate ok"},
		{"no quota", loop.State{Status: loop.Waiting, Reason: loop.ForLimit}, "answers fail, writes note, commits note, gate note"},
	} {
		var got []string
		for _, p := range proofs(c.state) {
			got = append(got, p.Step+" "+string(p.Level))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// TestTryCodes: a spent quota is a limit, and anything else that is not proved a
// failure.
func TestTryCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		try  tried
		want int
	}{
		{tried{Proved: true}, exit.Done},
		{tried{state: loop.State{Status: loop.Paused, Reason: loop.ForLimit}}, exit.Limit},
		{tried{state: loop.State{Status: loop.StatusFailed, Reason: loop.MaxAttempts}}, exit.Failed},
		{tried{state: loop.State{Status: loop.Waiting, Reason: loop.ForHuman}}, exit.Failed},
	} {
		if got := c.try.code(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.try.state, got, c.want)
		}
	}
}

// TestFindingsText: a finding with a remedy has it on a line of its own, and
// --quiet leaves out what is well.
func TestFindingsText(t *testing.T) {
	t.Parallel()
	c := &checkup{Commands: &Commands{&project.Opener{}}}
	c.ok("git", "version 2.50")
	c.note("agent", "none configured")
	c.warn("views", "ralph doctor --fix", "out of date")
	want := "ok    git          version 2.50\nnote  agent        none configured\nwarn  views        out of date\n                   try: ralph doctor --fix\n"
	if got := c.lines(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if got := c.verdict(); got != "0 wrong, 1 to look at." {
		t.Error(got)
	}
	c.Quiet = true
	if got := c.lines(); strings.Contains(got, "git") || !strings.Contains(got, "views") {
		t.Errorf("quiet:\n%s", got)
	}
}
