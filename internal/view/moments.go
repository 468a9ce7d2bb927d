package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// MomentKind is what happened.
type MomentKind string

// The kinds of moments. MomentWaited to MomentAsked may last: they have an end.
const (
	MomentWaited      MomentKind = "waited"
	MomentPaused      MomentKind = "paused"
	MomentAsked       MomentKind = "asked"
	MomentInterrupted MomentKind = "interrupted"
	MomentRecovered   MomentKind = "recovered"
	MomentSwitched    MomentKind = "switched"
	MomentLanded      MomentKind = "landed"
	MomentPassed      MomentKind = "passed"
	MomentFailed      MomentKind = "failed"
	MomentAborted     MomentKind = "aborted"
	MomentAccepted    MomentKind = "accepted"
)

// Moment is something that happened to runs and that a person wants to know of the
// next morning. What happened to several runs at once is one moment.
type Moment struct {
	At time.Time `json:"at"`
	// Until is when a wait ended or a question was answered; null where that is still
	// to come, and for what has no length.
	Until *time.Time `json:"until"`
	Kind  MomentKind `json:"kind"`
	// Runs are the tasks of plans, and the ids of plans and of other loops, each once.
	Runs []string `json:"runs"`
	// Times is how often it happened, one run after another or one run again.
	Times int    `json:"times"`
	Text  string `json:"text"`

	open bool
}

// Journal is a run's events, oldest first. Events of a newer version are left out.
type Journal struct {
	Loop   loop.State
	Events []loop.Event
	// Plan is set where the run is a plan; its events are PlanEvents.
	Plan       *plan.State
	PlanEvents []plan.Event
}

// Tell adds what happened to the runs, in the order of time. leftOut is how many older
// runs it does not tell of.
func (r *Summary) Tell(journals []Journal, leftOut int) {
	var all []Moment
	for _, j := range journals {
		if j.Plan != nil {
			all = append(all, planMoments(*j.Plan, j.PlanEvents)...)
		} else {
			all = append(all, loopMoments(j.Loop, j.Events)...)
		}
	}
	r.Moments, r.MomentsLeftOut = together(all), leftOut
}

// mostApart is how far two runs may be apart for which the same happened at once: one
// process wakes and stops its runs one after the other.
const mostApart = time.Minute

// together sorts moments and makes one of those that are about the same thing: waits
// that overlap, and what happened within a minute.
func together(all []Moment) []Moment {
	slices.SortStableFunc(all, func(a, b Moment) int { return a.At.Compare(b.At) })
	out := []Moment{}
	for _, m := range all {
		n := len(out) - 1
		for n >= 0 && !out[n].same(m) {
			n--
		}
		if n < 0 {
			out = append(out, m)
			continue
		}
		o := &out[n]
		for _, run := range m.Runs {
			if !slices.Contains(o.Runs, run) {
				o.Runs = append(o.Runs, run)
			}
		}
		o.Times += m.Times
		if o.open = o.open || m.open; o.open {
			o.Until = nil
		} else if m.Until != nil && (o.Until == nil || m.Until.After(*o.Until)) {
			o.Until = m.Until
		}
	}
	return out
}

func (m Moment) same(later Moment) bool {
	if m.Kind != later.Kind || m.Text != later.Text {
		return false
	}
	switch m.Kind {
	case MomentWaited, MomentPaused, MomentInterrupted, MomentRecovered, MomentSwitched, MomentAccepted:
	default:
		return false
	}
	end := m.At
	if m.Until != nil {
		end = *m.Until
	}
	return m.open || !later.At.After(end.Add(mostApart))
}

// teller collects the moments of one run.
type teller struct {
	run string
	all []Moment
}

func (t *teller) add(at time.Time, kind MomentKind, words string) *Moment {
	return t.about("", at, kind, words)
}

// about adds a moment of another run; empty is this one.
func (t *teller) about(run string, at time.Time, kind MomentKind, words string) *Moment {
	t.all = append(t.all, Moment{At: at, Kind: kind, Runs: []string{cmp.Or(run, t.run)}, Times: 1, Text: text.Clip(text.Line(words), mostMoment)})
	return &t.all[len(t.all)-1]
}

// mostMoment is the width of a moment's text: about two lines of a screen.
const mostMoment = 160

// begin opens a moment that lasts.
func (t *teller) begin(at time.Time, kind MomentKind, words string) {
	t.add(at, kind, words).open = true
}

// end closes the moments of these kinds that are open.
func (t *teller) end(at time.Time, kinds ...MomentKind) {
	for n := range t.all {
		if m := &t.all[n]; m.open && slices.Contains(kinds, m.Kind) {
			m.open, m.Until = false, &at
		}
	}
}

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
	if gap.Cause == loop.GapDiskFull {
		t.add(gap.Since, MomentWaited, "waited: a disk was full").Until = &at
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
		if e.Cause.Interrupts() {
			t.begin(at, MomentInterrupted, "interrupted"+because(e.Why))
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
	m := t.add(q.AskedAt, MomentAsked, "asked: "+q.Text)
	if m.open = !q.Answered; m.open {
		return
	}
	m.Text = text.Clip(m.Text, mostMoment/2) + fmt.Sprintf("; %s answered: %s", cmp.Or(text.Line(q.By), "a person"), text.Clip(text.Line(q.Answer), mostMoment/2))
	if !q.AnsweredAt.IsZero() {
		m.Until = &q.AnsweredAt
	}
}

// ended tells how a loop ended. That a task of a plan passed is told by its landing.
func (t *teller) ended(s loop.State) {
	at := s.EndedAt
	t.end(at, MomentWaited, MomentPaused, MomentInterrupted, MomentAsked)
	switch s.Status {
	case loop.StatusPassed:
		if !s.InPlan() && s.Reason != loop.Imported {
			t.add(at, MomentPassed, "passed after "+text.Plural(s.Iteration, "attempt"))
		}
	case loop.StatusFailed:
		t.add(at, MomentFailed, "failed after "+text.Plural(s.Iteration, "attempt")+because(s.Message))
	default:
		t.add(at, MomentAborted, string(s.Status)+because(s.Message))
	}
}
