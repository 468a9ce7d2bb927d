package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Obstacle is why an open loop cannot go on here whatever is configured; empty
// means that it can, given a gate and an agent.
func (f *Found) Obstacle() string {
	if f.Task == "" {
		return "its file does not say what was to be done"
	}
	return ""
}

// made is the number of the last iteration, whether its record is there or not.
func (f *Found) made() int {
	n := f.Iteration
	for _, a := range f.Attempts {
		n = max(n, a.N)
	}
	return n
}

// underWay: its last iteration was cut off, and can be made again.
func (f *Found) underWay() bool {
	return slices.ContainsFunc(f.Attempts, func(a loop.Attempt) bool { return a.Verdict == "" && a.N == f.made() && a.N <= f.Max })
}

// Adopt makes the loop that goes on here, paused. spec has its gates and agent;
// what f knows of the task, the maximum and the history is filled in. Without a
// maximum of its own it gets as many attempts more as ralph gives a new loop.
func (f *Found) Adopt(spec loop.Spec, now time.Time) loop.State {
	most := f.Max
	if most == 0 {
		most = f.made() + spec.Limits.MaxIterations
	}
	s := f.state(spec, most, now)
	s.Status, s.Message = loop.Paused, fmt.Sprintf("brought along from %s at %s", f.Kind, f.count())
	s.LastAt = now
	return s
}

// End makes the loop that has ended. why is empty for one that ended where it
// was; else it says why it cannot go on here.
func (f *Found) End(spec loop.Spec, why string, now time.Time) loop.State {
	s := f.state(spec, cmp.Or(f.Max, max(f.made(), spec.Limits.MaxIterations)), now)
	s.Status, s.Reason = f.verdict()
	s.Message = f.ending()
	if why != "" {
		s.Status, s.Reason = loop.Aborted, loop.Imported
		s.Message = fmt.Sprintf("%s in %s at %s; it cannot go on here: %s", f.said(), f.Kind, f.count(), why)
	}
	s.Step, s.EndedAt = loop.StepDone, newest(past(f.EndedAt, s.StartedAt, now), s.LastAt)
	s.LastAt = s.EndedAt
	return s
}

// state is what both have in common.
func (f *Found) state(spec loop.Spec, most int, now time.Time) loop.State {
	spec.Task.Text = cmp.Or(f.Task, f.TaskID, clip(f.ID, 100), "unknown")
	spec.Task.ID = cmp.Or(slug(cmp.Or(f.TaskID, spec.Task.Text), 40), "task")
	spec.Parent = cmp.Or(spec.Parent, f.Parent)
	spec.Limits.MaxIterations = most
	spec.Gates = f.frozen(spec.Gates)
	began := past(f.began(), now, now)
	s := loop.New(spec, began)
	s.Attempts, s.Iteration, s.Usage = f.history(spec.Gates, began, now), f.made(), f.Usage
	s.ProgressAt = past(f.ProgressAt, began, now)
	s.LastAt = past(f.UpdatedAt, began, now)
	for _, a := range s.Attempts {
		s.LastAt = newest(s.LastAt, a.EndedAt)
	}
	return s
}

// frozen are the gates. Where none can be run, the named ones stand without a
// command, so that values and thresholds are about something.
func (f *Found) frozen(gates []loop.Gate) []loop.Gate {
	if len(gates) > 0 {
		return gates
	}
	names := []string{f.Gate}
	for _, a := range f.Attempts {
		names = append(names, a.FailedGate)
	}
	const most = 10
	for _, n := range names {
		known := slices.ContainsFunc(gates, func(g loop.Gate) bool { return g.Name == n })
		if n != "" && !known && len(gates) < most {
			gates = append(gates, loop.Gate{Name: n, Kind: kindOf(n), Level: loop.Hard})
		}
	}
	if len(gates) > 0 {
		gates[0].Threshold = f.Threshold
	}
	return gates
}

func (f *Found) began() time.Time {
	t := f.StartedAt
	for _, a := range f.Attempts {
		for _, at := range []time.Time{a.StartedAt, a.EndedAt} {
			if !at.IsZero() && (t.IsZero() || at.Before(t)) {
				t = at
			}
		}
	}
	return cmp.Or(t, f.UpdatedAt, f.EndedAt)
}

func (f *Found) count() string {
	if f.Max > 0 {
		return fmt.Sprintf("iteration %d of %d", f.made(), f.Max)
	}
	return fmt.Sprintf("iteration %d", f.made())
}

func (f *Found) said() string { return cmp.Or(f.Word, "unfinished") }

func (f *Found) ending() string {
	words := fmt.Sprintf("%s in %s at %s", f.said(), f.Kind, f.count())
	if f.Stopped != "" && f.Stopped != f.Word {
		words += ": " + f.Stopped
	}
	if f.Standing == Passed {
		words += "; ralph has not checked it"
	}
	return words
}

// past is a time that can be: what is unknown is def, what is still to come is
// now.
func past(t, def, now time.Time) time.Time {
	switch {
	case t.IsZero():
		return def
	case t.After(now):
		return now
	}
	return t
}

func newest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Names are what a loop may be called here, best first: its own name, one made
// of it where that cannot be a name, and then either with a number, since a loop
// here may have it already.
func (f *Found) Names() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		name := f.ID
		if loop.ValidID(name) != nil {
			name = f.madeName()
		}
		if !yield(name) {
			return
		}
		for n := 2; ; n++ {
			suffix := fmt.Sprintf("-%d", n)
			if !yield(strings.TrimRight(name[:min(len(name), 64-len(suffix))], "-.") + suffix) {
				return
			}
		}
	}
}

// madeName is the kind, what is left of the name, and 8 digits of where it was
// found, so that two of them differ.
func (f *Found) madeName() string {
	name := slug(f.ID, 30)
	if name == "" {
		name = slug(f.TaskID+" "+f.Task, 30)
	}
	return strings.Trim(string(f.Kind)+"-"+name, "-") + "-" + digest([]byte(f.Source + "\x00" + f.ID))[:8]
}

// slug is what of a text can stand in a name, at most n characters.
func slug(text string, n int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(clip(text, 200)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == n {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
