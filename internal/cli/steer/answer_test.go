package steer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/cli/runs"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestChoose: the flags select one of a plan's questions; a loop asks one thing at
// a time, and needs none.
func TestChoose(t *testing.T) {
	t.Parallel()
	own := func(task, id string) runs.Question {
		return runs.Question{Plan: "night", Task: task, Question: loop.Question{ID: id}, Own: &plan.Question{}}
	}
	ofLoop := runs.Question{Loop: "night-t2", Task: "T2", Question: loop.Question{ID: "q9"}}
	all := []runs.Question{own("", "order"), own("T1", "approve"), ofLoop}
	for name, c := range map[string]struct {
		f    answerFlags
		id   string
		want []string
	}{
		"all":                      {answerFlags{}, "night", []string{"order", "approve", "q9"}},
		"of a task":                {answerFlags{task: "T1"}, "night", []string{"approve"}},
		"of a task's loop":         {answerFlags{task: "T2"}, "night", []string{"q9"}},
		"by its id":                {answerFlags{question: "order"}, "night", []string{"order"}},
		"by the id of a loop's":    {answerFlags{question: "q9"}, "night", nil},
		"of another task":          {answerFlags{task: "T1", question: "order"}, "night", nil},
		"of an inner plan, by id":  {answerFlags{question: "order"}, "outer", nil},
		"the loop's, without flag": {answerFlags{task: "T1"}, "night-t2", []string{"approve", "q9"}},
	} {
		var got []string
		for _, q := range choose(all, c.id, c.f) {
			got = append(got, q.Question.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if all[0].Question.ID != "order" || len(all) != 3 {
		t.Error("the list of the caller was changed")
	}
}
