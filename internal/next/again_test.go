package next

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestAgain: a plan that ended short of its goal is run again as it was started; what was
// used up is asked for anew.
func TestAgain(t *testing.T) {
	t.Parallel()
	flags := []string{"--agent-cmd", "sh agent.sh", "--approve-plan=review", "--budget", "5USD", "--detach", "--until", "go test ./..."}
	state := func(status loop.Status, reason loop.Reason) plan.State {
		return plan.State{File: "plan.md", Status: status, Reason: reason, Rules: plan.Rules{Flags: flags}}
	}
	whole := "ralph run plan.md --agent-cmd 'sh agent.sh' --approve-plan=review --budget 5USD --detach --until 'go test ./...'"
	for name, c := range map[string]struct {
		s        plan.State
		archived bool
		want     string
	}{
		"failed":    {state(loop.StatusFailed, ""), false, whole},
		"aborted":   {state(loop.Aborted, loop.Manual), false, whole},
		"spent":     {state(loop.Aborted, loop.Budget), false, "ralph run plan.md --agent-cmd 'sh agent.sh' --approve-plan=review --detach --until 'go test ./...' --budget …"},
		"archived":  {state(loop.StatusFailed, ""), true, ""},
		"passed":    {state(loop.StatusPassed, plan.AllDone), false, ""},
		"in part":   {state(loop.StatusPassed, plan.PartDone), false, whole},
		"runs":      {state(loop.Running, ""), false, ""},
		"no flags":  {plan.State{File: "my plan.md", Status: loop.StatusFailed}, false, "ralph run 'my plan.md'"},
		"unsayable": {plan.State{File: "plan.md", Status: loop.StatusFailed, Rules: plan.Rules{Flags: []string{"--until", "a\x1bb"}}}, false, `ralph run plan.md --until "…"`},
	} {
		c.s.Attempts = map[bool]int{true: 0, false: 9}[name == "spent"]
		c.s.Rules.Attempts = map[bool]int{true: 5}[name == "spent"]
		if got := Again(c.s, c.archived); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// TestAPatternIsNoAnswer: the command of a question with options chooses none of them.
func TestAPatternIsNoAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		q    loop.Question
		want string
	}{
		"options":      {loop.Question{Options: []string{"yes", "no"}}, `ralph answer x "OPTION"`},
		"a default":    {loop.Question{Options: []string{"yes", "no"}, Default: "no"}, `ralph answer x "no"`},
		"one option":   {loop.Question{Options: []string{"yes"}}, `ralph answer x "…"`},
		"hostile":      {loop.Question{Options: []string{"yes", `"; rm -rf /`}}, `ralph answer x "OPTION"`},
		"no options":   {loop.Question{}, `ralph answer x "…"`},
		"no file":      {loop.Question{Dispute: &loop.Dispute{}, Options: []string{loop.SayDismiss}}, `ralph answer x "dismiss"   # or: "uphold GLOB"`},
		"with a file":  {loop.Question{Dispute: &loop.Dispute{}, Options: []string{loop.SayUphold, loop.SayDismiss}}, `ralph answer x "OPTION"   # OPTION: uphold or dismiss`},
		"many options": {loop.Question{Options: []string{"one thing to do", "another thing to do", "a third thing to do", "a fourth"}}, `ralph answer x "OPTION"`},
	} {
		if got := AnswerOpen("x", &c.q); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
		for _, p := range []string{loop.Placeholder, strings.Join(c.q.Options, "|")} {
			if len(c.q.Options) < 2 {
				continue
			}
			if _, known, other := c.q.Accepts(p); known || other {
				t.Errorf("%s: the pattern is taken as an answer", name)
			}
			if _, why := (plan.Question{Question: c.q, About: plan.AboutApproach}).Takes(p); why == "" {
				t.Errorf("%s: a plan takes the pattern as an answer", name)
			}
		}
	}
}

// TestAnswerExample: after a wrong answer the command works when it is pasted.
func TestAnswerExample(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options []string
		want    string
	}{
		"two":     {[]string{"half up", "down"}, `ralph answer x "half up"   # or: "down"`},
		"three":   {[]string{"a", "b", "c"}, `ralph answer x "a"   # or: "b", "c"`},
		"hostile": {[]string{"a", "$(rm -rf ~)"}, `ralph answer x "OPTION"`},
		"none":    {nil, `ralph answer x "…"`},
	} {
		if got := AnswerExample("x", loop.Question{Options: c.options}); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	own := plan.Question{Task: "t", Question: loop.Question{Options: []string{"skip", "retry"}}}
	if got, want := AnswerOwnExample("p", own), `ralph answer p --task t "skip"   # or: "retry"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestArguments: the arguments of a command are those that a shell makes of it.
func TestArguments(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		Retry("x", "--with-work", "--proof none"):                      "retry|x|--with-work|--proof|none",
		Retry("x", "--may-change "+word("a b's.py"), "--may-change y"): "retry|x|--may-change|a b's.py|--may-change|y",
		Retry("x", "--may-change", Blank):                              "retry|x|--may-change|…",
		"":                                                             "",
	} {
		if got := strings.Join(Arguments(command), "|"); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}
