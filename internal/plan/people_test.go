package plan

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestAnswersByName: of several questions the one that is named is answered, once.
func TestAnswersByName(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := Begin("p", "/p.md", "", "b", "c0", Rules{})
	for _, id := range []string{"a", "b"} {
		s.Tasks = append(s.Tasks, TaskState{ID: id, Status: Approving, Loop: "l-" + id, Rests: ForPerson})
		s.question(at.At, Question{About: AboutApproach, Task: id, Question: loop.Question{Options: []string{sayApprove, sayNever}}})
	}
	s, err := Apply(s, Answered{Stamp: at, Text: "yes", Question: "q2"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Task("a").Agreed != "" || s.Task("b").Agreed != "l-b" || s.OpenQuestion().ID != "q1" {
		t.Errorf("another question was answered: %+v", s.Tasks)
	}
	if _, err := Apply(s, Answered{Stamp: at, Text: "approve", Question: "q2"}); err == nil {
		t.Error("the same answer was taken twice")
	}
}

// TestOnlyOptions: where nobody is told what a person says, other words mean
// nothing and decide nothing.
func TestOnlyOptions(t *testing.T) {
	t.Parallel()
	for about, options := range map[Topic][]string{AboutFailure: {saySkip, sayRetry, sayStop}, AboutClaims: {sayDone, sayWorkOn}} {
		q := Question{About: about, Question: loop.Question{Options: options}}
		if _, why := q.Takes("git log"); why == "" {
			t.Errorf("%s: any words are an answer", about)
		}
		if text, why := q.Takes(" " + options[1] + " "); why != "" || text != options[1] {
			t.Errorf("%s: %q: %s", about, text, why)
		}
	}
}

// TestEditIsNoComment: who answers that he wants to edit a task's plan is told how,
// and nothing is written anew for it.
func TestEditIsNoComment(t *testing.T) {
	t.Parallel()
	q := Question{About: AboutApproach, Question: loop.Question{Options: []string{sayApprove, sayNever}}}
	for answer, comment := range map[string]bool{"edit": false, " Edit. ": false, "edit the second step": true, "editorial": true} {
		if _, why := q.Takes(answer); (why == "") != comment {
			t.Errorf("%q: %q", answer, why)
		}
	}
}

// TestEndedAsksNothing: what a run asked when it was aborted is asked again when
// somebody goes on with it, and by nobody meanwhile.
func TestEndedAsksNothing(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := Begin("p", "/p.md", "", "b", "c0", Rules{})
	s.Tasks = []TaskState{{ID: "a", Status: Failed, Tries: 1}}
	s.question(at.At, FailureQuestion(s.Tasks[0]))
	s, err := Apply(s, AbortAsked{Stamp: at})
	if err != nil || !s.Status.Terminal() {
		t.Fatalf("%s: %v", s.Status, err)
	}
	if s.OpenQuestion() != nil || s.OpenQuestions() != nil {
		t.Error("an ended run asks")
	}
	if _, err := Apply(s, Answered{Stamp: at, Text: saySkip}); err == nil {
		t.Error("an ended run takes an answer")
	}
	if s, err = Apply(s, Resumed{Stamp: at}); err != nil || s.OpenQuestion() == nil {
		t.Errorf("the question is lost: %v", err)
	}
}

// TestUndecidedFailuresAsk: a task whose plan was not written, or whose proved work does
// not fit, is for a person to decide, also where failures are skipped. What no retry can
// help is a failure.
func TestUndecidedFailuresAsk(t *testing.T) {
	t.Parallel()
	g, err := Plan{Tasks: []Task{{ID: "a", Title: "a", Status: Pending}}}.Graph()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason  loop.Reason
		approve bool
		asks    bool
	}{
		{loop.MaxAttempts, true, true},
		{loop.Conflict, false, true},
		{loop.MaxAttempts, false, false},
		{loop.AgentError, true, false},
		{loop.Manual, true, false},
	} {
		s := Begin("p", "/p.md", "", "b", "c0", Rules{Parallel: 1, PerTask: 2, OnFailure: Skip, Approve: c.approve})
		s.Status = loop.Running
		s.Tasks = []TaskState{{ID: "a", Status: Failed, Reason: c.reason, Tries: 1}}
		asked := false
		for _, a := range Next(g, s, nil) {
			asked = asked || a.Do == DoAsk && a.Task == "a"
		}
		if asked != c.asks {
			t.Errorf("%+v: asks %t", c, asked)
		}
	}
}
