package loop

import "testing"

// TestYesApproves: whole words for yes approve where approval is asked for, and
// nowhere else; what says more is guidance.
func TestYesApproves(t *testing.T) {
	t.Parallel()
	gate := Question{Options: []string{"approve", "reject"}, Gate: "look"}
	for answer, want := range map[string]string{
		"yes": "approve", "Y": "approve", " ok ": "approve", "approved": "approve", "Yes.": "approve", "1": "approve", "approve": "approve",
		"no": "no", "2": "reject", "yes, but the tests": "yes, but the tests", "not ok": "not ok", "": "",
	} {
		if got := gate.Choose(answer); got != want {
			t.Errorf("%q means %q, want %q", answer, got, want)
		}
	}
	for _, q := range []Question{{Options: []string{"accept", "reject"}}, {}, {Options: []string{"yes", "approve"}}} {
		if got := q.Choose("yes"); got != "yes" {
			t.Errorf("of %q yes means %q", q.Options, got)
		}
	}
}

// TestAnswerIsForItsQuestion: an answer that names a question answers no other.
func TestAnswerIsForItsQuestion(t *testing.T) {
	t.Parallel()
	s := State{Status: Waiting, Questions: []Question{{ID: "q1", Answered: true}, {ID: "q2"}}}
	if why := (Answered{Text: "x", Question: "q1"}).apply(&s); why == "" || s.Open() == nil {
		t.Error("an answer to q1 answered q2")
	}
	if why := (Answered{Text: "x", Question: "q2"}).apply(&s); why != "" || s.Open() != nil {
		t.Errorf("the answer was refused: %s", why)
	}
}
