package view

import (
	"cmp"
	"slices"
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
