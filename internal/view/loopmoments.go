package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// loopMoments applies a loop's events once more, and tells of what changed. An event
// that is refused, because another version wrote it, changes nothing.
func loopMoments(now loop.State, events []loop.Event) []Moment {
	t := teller{run: cmp.Or(now.Task.ID, now.ID)}
	if !now.InPlan() {
		t.run = now.ID
	}
	s := loop.New(now.Spec, now.StartedAt)
	for _, e := range events {
		before := s
		if after, err := loop.Apply(s, e); err == nil {
			s = after
		}
		t.event(before, e)
		if !answers(e) {
			t.turn(before, s, e.When())
		}
	}
	for _, q := range now.Questions {
		t.question(q)
	}
	if now.Status.Terminal() {
		t.ended(now)
	}
	return t.all
}

// answers reports whether an event is an answer, or the pause until a process continues
// after one. The question tells when it was answered.
func answers(e loop.Event) bool {
	pause, _ := e.(loop.PauseAsked)
	_, is := e.(loop.Answered)
	return is || pause.By == loop.NoOwner
}

// waitedForRoom tells of a run whose process waited until a disk had room.
func (t *teller) waitedForRoom(gap loop.Gap, at time.Time) {
	switch gap.Cause {
	case loop.GapDiskFull:
		t.add(gap.Since, MomentWaited, "waited: a disk was full").Until = &at
	case loop.GapUnusable:
		t.add(gap.Since, MomentWaited, "waited: a directory could not be used").Until = &at
	}
}

// recovered tells that another process continues a run, and why.
func (t *teller) recovered(gap loop.Gap, at time.Time) {
	words := map[loop.GapCause]string{
		"":             "the process had ended; another one continues",
		loop.GapReboot: "the machine was started again; another process continues",
		loop.GapTaken:  "taken over from a process that lived",
	}[gap.Cause]
	if words != "" {
		t.add(at, MomentRecovered, words)
	}
}

// event tells of what an event reports by itself.
func (t *teller) event(before loop.State, e loop.Event) {
	at := e.When()
	switch e := e.(type) {
	case loop.Acquired:
		t.waitedForRoom(e.Gap, at)
		if e.Place != "" && (before.Status == loop.Running || before.Status == loop.Waiting && before.Reason.OfProvider()) {
			t.recovered(e.Gap, at)
		}
	case loop.Interrupted:
		switch words := "interrupted" + because(e.Why); {
		case e.Cause.Interrupts():
			t.begin(at, MomentInterrupted, words)
		case e.Lost:
			t.add(at, MomentInterrupted, words)
		}
	case loop.Switched:
		t.add(at, MomentSwitched, e.Agent.Name+" takes over"+because(e.Why))
	case loop.Accepted:
		t.add(at, MomentAccepted, "accepted as "+short(e.Commit))
	}
}

// turn tells of waits and pauses.
func (t *teller) turn(before, after loop.State, at time.Time) {
	was, is := rest(before), rest(after)
	if was == is {
		return
	}
	if was != "" {
		t.end(at, MomentWaited, MomentPaused, MomentInterrupted)
	}
	switch {
	case is == "" || after.Reason == loop.ForHuman || after.Unowned: // a question tells of itself
	case t.interruptedAt(at): // this wait is a part of it
	case after.Status == loop.Paused:
		t.begin(at, MomentPaused, pauseWords(cmp.Or(after.PauseWhy, after.Message)))
	default:
		t.begin(at, MomentWaited, "waited"+because(waitWords(after)))
	}
}

// interruptedAt reports whether an interruption of this time is open: what follows it is
// the time until the step is done again.
func (t *teller) interruptedAt(at time.Time) bool {
	n := len(t.all)
	return n > 0 && t.all[n-1].open && t.all[n-1].Kind == MomentInterrupted && t.all[n-1].At.Equal(at)
}

func pauseWords(why string) string {
	if strings.HasPrefix(why, "paused") {
		return why
	}
	return "paused" + because(why)
}

// rest names what a loop waits for; empty while it works.
func rest(s loop.State) string {
	if s.Status != loop.Waiting && s.Status != loop.Paused {
		return ""
	}
	return string(s.Status) + " " + string(s.Reason)
}

// waitWords are the same for all runs that wait for the same thing.
func waitWords(s loop.State) string {
	who := s.Agent.Name
	switch s.Reason {
	case loop.ForThrottle:
		return who + " was throttled by its provider"
	case loop.ForDown:
		return "the provider of " + who + " was down"
	case loop.ForLogin:
		return "the login of " + who + " was refused"
	case loop.ForLimit:
		return "the usage limit of " + who + " was reached"
	case loop.ForKeep:
		return "the rest of the usage limit of " + who + " was kept"
	case loop.ForQuiet:
		return "quiet hours"
	case loop.Budget:
		return "a budget was used up"
	}
	return s.Message
}

// question tells when a question was asked, and by whom it was answered.
func (t *teller) question(q loop.Question) {
	m := t.add(q.AskedAt, MomentAsked, "asked: "+joinLines(q.Text))
	if m.open = !q.Answered; m.open {
		return
	}
	asked, between := text.Clip(m.Text, mostMoment/2), "; "
	if strings.HasSuffix(asked, ".") || strings.HasSuffix(asked, "?") {
		between = " "
	}
	m.Text = asked + fmt.Sprintf("%s%s answered: %s", between, cmp.Or(text.Line(q.By), "a person"), text.Clip(text.Line(q.Answer), mostMoment/2))
	if !q.AnsweredAt.IsZero() {
		m.Until = &q.AnsweredAt
	}
}

// ended tells how a loop ended. That a task of a plan passed is told by its landing.
func (t *teller) ended(s loop.State) {
	at := s.EndedAt
	t.end(at, MomentWaited, MomentPaused, MomentInterrupted, MomentAsked)
	if s.Reason == loop.Left {
		t.add(at, MomentRecovered, text.Line(s.Message))
		return
	}
	switch s.Status {
	case loop.StatusPassed:
		if !s.InPlan() && s.Reason != loop.Imported {
			t.add(at, MomentPassed, "passed after "+text.Plural(s.Iteration, "attempt"))
		}
	case loop.StatusFailed:
		t.add(at, MomentFailed, "failed after "+text.Plural(s.Made(), "attempt")+because(s.Message))
	default:
		t.add(at, MomentAborted, string(s.Status)+because(s.Message))
	}
}
