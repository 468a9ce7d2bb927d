package run

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestOneTask: a second argument is refused, and told as what it probably is.
func TestOneTask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fix it"}, ""},
		{[]string{"fix it", "--auto-test-fix", "3"}, "--auto-test-fix=3"},
		{[]string{"fix it", "--approve-plan", "review"}, "--approve-plan=review"},
		{[]string{"fix", "it"}, "put the task in quotes"},
		{[]string{"fix", "3"}, "put the task in quotes"},
	} {
		cmd := &cobra.Command{Args: oneTask, SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return nil }}
		for _, name := range []string{"auto-test-fix", "approve-plan"} {
			cmd.Flags().String(name, "", "")
			cmd.Flags().Lookup(name).NoOptDefVal = "1"
		}
		cmd.SetArgs(c.args)
		err := cmd.Execute()
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.args, err)
			}
			continue
		}
		if err == nil || exit.Classify(err).Code != exit.Usage || !strings.Contains(exit.Classify(err).Hint, c.want) {
			t.Errorf("%q: %v", c.args, err)
		}
	}
}

// TestOnlyAnswers: an agent without tools takes no task that needs a tree.
func TestOnlyAnswers(t *testing.T) {
	t.Parallel()
	spec := engine.PlanSpec{Agents: map[string]loop.Agent{"model": {Name: "model", Use: "api"}}, Task: loop.Spec{Agent: loop.Agent{Name: "claude", Use: "claude"}}}
	for name, c := range map[string]struct {
		task plan.Task
		ok   bool
	}{
		"code by the default agent": {plan.Task{ID: "a", Title: "T", Status: plan.Pending}, true},
		"code by a model":           {plan.Task{ID: "a", Title: "T", Status: plan.Pending, Agent: "model"}, false},
		"text by a model":           {plan.Task{ID: "a", Title: "T", Status: plan.Pending, Agent: "model", Kind: plan.KindText}, true},
		"a plan in its place":       {plan.Task{ID: "a", Title: "T", Status: plan.Pending, Agent: "model", SubPlan: "other.md"}, true},
	} {
		if err := onlyAnswers(plan.Plan{Tasks: []plan.Task{c.task}}, spec); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEveryTaskProves: without gates for all, each task needs a command that was
// accepted.
func TestEveryTaskProves(t *testing.T) {
	t.Parallel()
	gates := map[string]loop.Gate{"make a": {Run: "make a"}}
	proved, text := plan.Task{ID: "a", Title: "T", Status: plan.Pending, Commands: []string{"make a"}}, plan.Task{ID: "t", Title: "T", Status: plan.Pending, Kind: plan.KindText}
	bare, proposed := plan.Task{ID: "b", Title: "T", Status: plan.Pending}, plan.Task{ID: "c", Title: "T", Status: plan.Pending, Commands: []string{"make c"}}
	for name, c := range map[string]struct {
		tasks []plan.Task
		names string
		hint  string
	}{
		"all prove":          {[]plan.Task{proved, text}, "", ""},
		"none proves":        {[]plan.Task{bare, text}, "t", ""},
		"a plan of its own":  {[]plan.Task{proved, {ID: "p", Title: "T", Status: plan.Pending, SubPlan: "sub.md"}}, "", ""},
		"one does not":       {[]plan.Task{proved, bare}, "night.md: task b", "--until"},
		"one is not allowed": {[]plan.Task{proved, proposed}, "task c", "ralph plan approve night.md"},
	} {
		err := everyTaskProves(plan.Plan{Tasks: c.tasks}, nil, gates, loop.ErrNoHardGate, "night.md: ", "ralph plan approve night.md")
		switch {
		case c.names == "":
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case !errors.Is(err, loop.ErrNoHardGate), c.hint != "" && (!strings.Contains(err.Error(), c.names) || !strings.Contains(exit.Classify(err).Hint, c.hint)):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDryDifference: a dry run shows of the second task what differs from the
// first.
func TestDryDifference(t *testing.T) {
	t.Parallel()
	first := loop.Spec{ID: "p-a", Gates: []loop.Gate{{Name: "tests", Run: "make"}, {Name: "lint", Run: "lint"}}}
	s := loop.Spec{ID: "p-b", Branch: "ralph/p-b", Gates: []loop.Gate{{Name: "tests", Run: "make b"}}, Task: loop.Task{Text: "port b", Criteria: []string{"it is fast"}, Scope: []string{"b/**"}}}
	got := dryDifference(s, first)
	for _, want := range []string{"loop    p-b", "branch  ralph/p-b", "gate    tests: make b", "without gate lint: lint", "files   b/**", "port b\n- it is fast"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "agent") || strings.Contains(got, "without gate tests") {
		t.Errorf("what is the same is shown:\n%s", got)
	}
}
