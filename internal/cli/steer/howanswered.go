package steer

import (
	"cmp"
	"fmt"
	"time"

	"ralph/internal/cli/runs"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// howAnswered tells how the question with this id of a run was answered, the newest where none is
// named, to follow other words; it is empty where no such question was.
func howAnswered(r runs.Run, id string, now time.Time) string {
	var newest *loop.Question
	for _, q := range asked(r) {
		if q.Answered && (id == "" || q.ID == id) {
			newest = &q
		}
	}
	if newest == nil {
		return ""
	}
	words := fmt.Sprintf("; question %s was answered: %q by %s", text.Line(newest.ID), text.Clip(text.Line(newest.Answer), 100), text.Clip(text.Line(cmp.Or(newest.By, "a person")), 60))
	if !newest.AnsweredAt.IsZero() {
		words += ", " + text.Clock(newest.AnsweredAt, now)
	}
	return words
}

// asked are all questions of a run, the oldest first.
func asked(r runs.Run) []loop.Question {
	switch r := r.(type) {
	case *runs.Loop:
		return r.Now.State.Questions
	case *runs.Plan:
		var out []loop.Question
		for _, q := range r.Now.State.Questions {
			out = append(out, q.Question)
		}
		return out
	}
	return nil
}
