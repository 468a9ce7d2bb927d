package view

import (
	"cmp"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// planMoments tells of a plan; its tasks' loops tell of themselves.
func planMoments(now plan.State, events []plan.Event) []Moment {
	t := planTeller{teller: teller{run: now.ID}}
	for _, e := range events {
		t.event(e)
	}
	for _, q := range now.Questions {
		if !q.Withdrawn {
			t.question(q.Question)
		}
	}
	if now.Status.Terminal() {
		t.over(now)
	}
	return t.all
}

// planTeller collects the moments of a plan. Lives: a process runs it, as far as its
// journal was read.
type planTeller struct {
	teller
	lives bool
}

func (t *planTeller) event(e plan.Event) {
	at := e.When()
	switch e := e.(type) {
	case plan.Opened:
		if t.lives {
			t.recovered(e.Gap, at)
		}
		t.end(at, MomentPaused)
		t.lives = true
	case plan.Resumed:
		t.lives = false
	case plan.Rested:
		t.lives = false
		if e.Status == loop.Paused {
			t.begin(at, MomentPaused, pauseWords(e.Message))
		}
	case plan.ReviewHeld:
		t.about(e.Task, at, MomentWaited, "reviewers could not work"+because(e.Why)).Until = &e.Until
	case plan.Landed:
		t.about(e.Task, at, MomentLanded, "landed as "+short(e.Commit))
	case plan.NotLanded:
		t.about(e.Task, at, MomentFailed, "could not be landed"+because(e.Message))
	case plan.Accepted:
		t.add(at, MomentAccepted, "accepted as "+short(e.Commit))
	}
}

func (t *planTeller) over(now plan.State) {
	kind := map[loop.Status]MomentKind{loop.StatusPassed: MomentPassed, loop.StatusFailed: MomentFailed}[now.Status]
	t.end(now.EndedAt, MomentAsked)
	t.add(now.EndedAt, cmp.Or(kind, MomentAborted), "plan "+string(now.Status)+because(now.Message))
}
