package worker

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/review"
)

// TestKeysAreStruckOut of every word of an outcome and of an event.
func TestKeysAreStruckOut(t *testing.T) {
	t.Parallel()
	const key, longer, named = "sk-ant-0123456789", "sk-ant-0123456789-more", "plain-but-named"
	env := []string{
		"ANTHROPIC_API_KEY=" + key, "OTHER_TOKEN= " + longer + "\n", "GATEWAY=" + named, "HOME=/home/someone",
		"SHORT_TOKEN=secret7", "EMPTY_TOKEN=", "PATH=/usr/bin:/bin",
	}
	k := redactorFor(env, loop.Agent{KeyEnv: "GATEWAY"}, loop.Agent{})
	words := strings.Join([]string{key, longer, named}, " ")
	out := k.outcome(loop.Outcome{
		Message: words, Words: words, Denials: []loop.Denial{{Tool: words, Rule: words}},
		Question: &loop.Question{Text: words, Default: words, Options: []string{words}},
	})
	e := k.event(agent.Event{Text: words, Tool: words, Path: words, Rule: words})
	for _, all := range []string{fmt.Sprintf("%+v %+v", out, *out.Question), fmt.Sprintf("%+v", e)} {
		if strings.Contains(all, "0123456789") || strings.Contains(all, named) || strings.Contains(all, "-more") {
			t.Errorf("a key is left: %s", all)
		}
	}
	const harmless = "bad key secret7 in /home/someone: /usr/bin"
	if got := k.Mask(harmless + ", " + key); got != harmless+", (key)" {
		t.Errorf("got %q", got)
	}
	if got := redactorFor(nil).Mask(words); got != words {
		t.Errorf("without keys: %q", got)
	}
}

// TestReviewersAreDiscreet about their own keys and about those of the run.
func TestReviewersAreDiscreet(t *testing.T) {
	t.Parallel()
	w := &Worker{Env: Environment{"OPENAI_API_KEY=sk-of-the-run"}}
	self := review.Reviewer{Agent: loop.Agent{Env: map[string]string{"MY_TOKEN": "mine-alone"}}}
	r := w.redacted(review.Request{
		Reviewers: []review.Reviewer{{Agent: loop.Agent{Env: map[string]string{"JUDGE_TOKEN": "of-the-judge"}}}}, Fallback: &self,
	})
	if got := r.Desk.Mask.Mask("sk-of-the-run of-the-judge mine-alone"); got != "(key) (key) (key)" {
		t.Errorf("got %q", got)
	}
}
