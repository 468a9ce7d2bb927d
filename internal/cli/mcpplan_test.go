package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPlanInASession: an agent's session runs and watches a plan; its questions and its
// acceptance are put to the person at the client, and to no model.
func TestPlanInASession(t *testing.T) {
	t.Parallel()
	a := repository(t, "test -f done")
	for name, body := range map[string]string{
		"ralph.yaml": "version: 1\nagents:\n  worker: {use: command, run: 'grep -q hopeless || echo x >done'}\nplans: {on_failure: ask}\nlimits: {max_iterations: 1}\ngates:\n  done: {run: test -f done}\nproof: none\n",
		"plan.md":    "# Plan\n\n- [ ] make done\n",
		"hard.md":    "# Hard\n\n- [ ] hopeless\n",
	} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var asked []string
	says := "do not accept"
	person := a.joinWith(&mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked = append(asked, r.Params.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": says}}, nil
	}})
	if begun := person.must("plan_run", map[string]any{"file": "plan.md"}); begun.code != 0 {
		t.Fatalf("%+v", begun)
	}
	stands := func(plan string) answer {
		cmd := exec.Command("ralph", "wait", plan, "--timeout", "120s")
		cmd.Dir, cmd.Env = a.dir, a.env
		_ = cmd.Run()
		return person.must("plan_status", map[string]any{"plan": plan})
	}
	if now := stands("plan.md"); now.code != 0 || !strings.Contains(now.text, "plan.md") {
		t.Fatalf("%+v", now)
	}
	alone := a.join()
	if no := alone.must("plan_accept", map[string]any{"plan": "plan.md"}); no.code != 3 || !strings.Contains(no.text, "ralph accept plan.md") {
		t.Errorf("without a person: %+v", no)
	}
	if no := person.must("plan_accept", map[string]any{"plan": "plan.md"}); no.code != 3 || len(asked) != 1 {
		t.Errorf("declined: %+v, asked %q", no, asked)
	}
	if _, err := os.Stat(filepath.Join(a.dir, "done")); err == nil {
		t.Fatal("merged without a person")
	}
	says = "accept"
	if yes := person.must("plan_accept", map[string]any{"plan": "plan.md"}); yes.code != 0 {
		t.Errorf("accepted: %+v", yes)
	}
	if _, err := os.Stat(filepath.Join(a.dir, "done")); err != nil {
		t.Error("nothing was merged:", err)
	}
	if begun := person.must("plan_run", map[string]any{"file": "hard.md"}); begun.code != 0 {
		t.Fatalf("%+v", begun)
	}
	if now := stands("hard.md"); now.code != 3 || !strings.Contains(now.text, "failed") {
		t.Fatalf("%+v", now)
	}
	asked, says = nil, "skip"
	if done := person.must("plan_answer", map[string]any{"plan": "hard.md"}); done.code != 0 || len(asked) != 1 || !strings.Contains(asked[0], "failed") {
		t.Errorf("%+v, asked %q", done, asked)
	}
	now := stands("hard.md")
	for n := 0; n < 200 && now.code > 1; n++ { // it continues in the background
		now = stands("hard.md")
	}
	if now.code != 1 {
		t.Errorf("after the answer skip: %+v", now)
	}
	inside := *a
	inside.env = append(inside.env, "RALPH_LOOP_ID=some-loop")
	worker := inside.joinWith(&mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "accept"}}, nil
	}})
	for _, tool := range []string{"plan_answer", "plan_accept"} {
		if no := worker.must(tool, map[string]any{"plan": "plan.md"}); no.code != 64 {
			t.Errorf("%s by the agent of a loop: %+v", tool, no)
		}
	}
}
