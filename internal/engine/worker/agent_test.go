package worker

import (
	"slices"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// A session is gone on with where a limit cut it off in the middle of its work,
// and nowhere else.
func TestResume(t *testing.T) {
	t.Parallel()
	worked := loop.Usage{ToolCalls: new(int64(3)), InputTokens: new(int64(70))}
	limited := loop.Outcome{End: loop.EndLimit, Session: "s", Usage: worked}
	for name, tt := range map[string]struct {
		attempts []loop.Attempt
		can      bool
		want     bool
	}{
		"first":            {can: true},
		"a limit":          {attempts: []loop.Attempt{{N: 1, Agent: limited}}, can: true, want: true},
		"of another kind":  {attempts: []loop.Attempt{{N: 1, Agent: limited}}},
		"nothing done":     {attempts: []loop.Attempt{{N: 1, Agent: loop.Outcome{End: loop.EndLimit, Session: "s"}}}, can: true},
		"no session":       {attempts: []loop.Attempt{{N: 1, Agent: loop.Outcome{End: loop.EndLimit, Usage: worked}}}, can: true},
		"another end":      {attempts: []loop.Attempt{{N: 1, Agent: loop.Outcome{End: loop.EndTransient, Session: "s", Usage: worked}}}, can: true},
		"an older attempt": {attempts: []loop.Attempt{{N: 1, Agent: limited}, {N: 2}}, can: true},
	} {
		got := resume(loop.State{Recent: tt.attempts}, agent.Capabilities{Resume: tt.can})
		if (got != nil) != tt.want || got != nil && (got.Session != "s" || *got.Used.InputTokens != 70) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAgentEnvironment(t *testing.T) {
	t.Parallel()
	w := &Worker{Env: Environment{"HOME=/h", "CLAUDE_CODE_SESSION_ID=outer", "CLAUDE_CODE_OAUTH_TOKEN=t", "PAGER=less"}}
	s := loop.State{Spec: loop.Spec{ID: "x", Agent: loop.Agent{Env: map[string]string{"HOME": "/mine", "CLAUDE_CODE_EXTRA": "1"}}}}
	env := w.agentEnv(s, 2)
	for _, want := range []string{"HOME=/mine", "CLAUDE_CODE_EXTRA=1", "CLAUDE_CODE_OAUTH_TOKEN=t", "PAGER=cat", "RALPH_ITERATION=2", "RALPH_LOOP_ID=x"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	if slices.Contains(env, "CLAUDE_CODE_SESSION_ID=outer") {
		t.Error("an enclosing session shines through")
	}
}
