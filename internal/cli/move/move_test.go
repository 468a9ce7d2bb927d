package move

import (
	"errors"
	"strings"
	"testing"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestServerOf: the server of a move is the given one, unless the record of the loop names
// another; a loop that is here and came from nowhere is here already.
func TestServerOf(t *testing.T) {
	t.Parallel()
	const box, other = "temporal://box:7233/shop?files=/mnt/r", "temporal://other:7233/shop"
	server, laptop := loop.Home{Engine: box}, loop.Home{Engine: loop.LocalEngine, Place: "laptop:/src"}
	left := loop.State{Status: loop.Aborted, Reason: loop.Left, Move: &loop.Move{From: laptop, To: server}}
	leaving := loop.State{Status: loop.Paused, Reason: loop.ForMove, Move: &loop.Move{From: laptop, To: server}}
	came := loop.State{Origin: &server}
	partial := loop.State{}.Incomplete(server, laptop)
	for name, c := range map[string]struct {
		r         request
		here      loop.State
		to, want  string
		forbidden string
	}{
		"to a server":            {r: request{out: true, standing: other}, to: box, want: box},
		"to none":                {r: request{out: true}, to: "nowhere", forbidden: "--to"},
		"back, as recorded":      {r: request{id: "a"}, here: left, to: "local", want: box},
		"back, of another":       {r: request{id: "a", standing: other}, here: left, to: "local", want: box},
		"with another folder":    {r: request{id: "a", given: "temporal://box:7233/shop?files=/nfs"}, here: left, to: "local", want: "temporal://box:7233/shop?files=/nfs"},
		"taken back":             {r: request{id: "a", given: "local"}, here: leaving, to: "local", want: box},
		"to be completed":        {r: request{id: "a"}, here: partial, to: "local", want: box},
		"came from there":        {r: request{id: "a"}, here: came, to: "local", want: box},
		"here already":           {r: request{id: "a"}, to: "local", forbidden: "is here already"},
		"here, another is meant": {r: request{id: "a", given: other}, to: "local", want: other},
		"of others":              {r: request{standing: other}, to: "local", want: other},
		"of an unknown server":   {r: request{standing: "local"}, to: "local", forbidden: "which server"},
	} {
		got, err := serverOf(c.r, c.here.Transit(), c.to)
		switch {
		case c.forbidden != "" && (err == nil || !strings.Contains(err.Error(), c.forbidden)):
			t.Errorf("%s: %v", name, err)
		case c.forbidden == "" && (err != nil || got.String() != c.want):
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
}

// TestLost: where the server of a run that left does not answer, the error names the way to
// continue without it.
func TestLost(t *testing.T) {
	t.Parallel()
	away := loop.State{Status: loop.Aborted, Reason: loop.Left, Move: &loop.Move{To: loop.Home{Engine: "temporal://box:7233/shop"}}}
	for name, c := range map[string]struct {
		code int
		out  bool
		here loop.State
		want bool
	}{
		"it does not answer":        {exit.Missing, false, away, true},
		"another error":             {exit.Usage, false, away, false},
		"a move there":              {exit.Missing, true, away, false},
		"a run that did not leave":  {exit.Missing, false, loop.State{}, false},
		"a move there that was cut": {exit.Missing, false, loop.State{Move: &loop.Move{To: away.Move.To}}, true},
	} {
		err := lost(&exit.Error{Code: c.code, Err: errors.New("away"), Hint: "start it"}, request{id: "fix", out: c.out}, found{state: c.here.Transit()})
		got, _ := errors.AsType[*exit.Error](err)
		if is := strings.Contains(got.Hint, "ralph move fix --to local --abandon-server"); is != c.want {
			t.Errorf("%s: %q", name, got.Hint)
		}
	}
}

// TestPlanCommands: a plan of others shows the accepted commands of the plans in its tasks'
// places as well, however deep.
func TestPlanCommands(t *testing.T) {
	t.Parallel()
	accepted := func(command string) map[string]loop.Gate {
		return map[string]loop.Gate{command: {Name: "own", Run: command}}
	}
	spec := engine.PlanSpec{
		Task: loop.Spec{Gates: []loop.Gate{{Name: "tests", Run: "go test"}}, Agent: loop.Agent{Name: "claude", Use: "claude"}}, Commands: accepted("outer"),
		Inner: map[string]engine.InnerPlan{"in.md": {Commands: accepted("inner"), Inner: map[string]engine.InnerPlan{"deep.md": {Commands: accepted("innermost")}}}},
	}
	const want = "  gate tests: go test\n  gate own: outer\n  gate own: inner\n  gate own: innermost\n  agent claude: claude"
	if got := planCommands(spec); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestRuns: the commands of a loop of others are shown as one line each.
func TestRuns(t *testing.T) {
	t.Parallel()
	s := loop.State{}
	s.Gates = []loop.Gate{{Name: "tests", Run: "go test ./...\nrm -rf ~"}, {Name: "looks", Kind: loop.KindReview, Review: &loop.Review{Reviewers: []loop.Agent{{Name: "gpt", Use: "codex"}}}}}
	s.Agent, s.Setup = loop.Agent{Name: "claude", Use: "claude"}, []string{"npm ci"}
	const want = "  gate tests: go test ./... rm -rf ~\n  reviewer gpt: codex\n  agent claude: claude\n  setup: npm ci"
	if got := commandLines(s); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
