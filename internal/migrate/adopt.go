package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Obstacle returns why an open loop can never be resumed here; "" means that it can,
// given a gate and an agent.
func (f *Found) Obstacle() string {
	if f.Task == "" {
		return "its file does not say what was to be done"
	}
	return ""
}

// made returns the number of the last iteration, recorded or not.
func (f *Found) made() int {
	n := f.Iteration
	for _, a := range f.Attempts {
		n = max(n, a.N)
	}
	return n
}

// underWay reports whether its last iteration was cut off and can be repeated.
func (f *Found) underWay() bool {
	return slices.ContainsFunc(f.Attempts, func(a loop.Attempt) bool { return a.Verdict == "" && a.N == f.made() && a.N <= f.Max })
}

// Adopt returns the loop that continues here, paused. spec has its gates and agent;
// f fills in task, maximum and history. Without a maximum of its own it gets as many
// further attempts as a new loop.
func (f *Found) Adopt(spec loop.Spec, now time.Time) loop.State {
	most := f.Max
	if most == 0 {
		most = f.made() + spec.Limits.MaxIterations
	}
	s := f.state(spec, most, now)
	s.Status, s.Message = loop.Paused, fmt.Sprintf("imported from %s at %s", f.Kind, f.count())
	s.LastAt = now
	return s
}

// End returns an ended loop. why is empty if it ended in its runner, otherwise the
// reason why it cannot continue here.
func (f *Found) End(spec loop.Spec, why string, now time.Time) loop.State {
	s := f.state(spec, cmp.Or(f.Max, max(f.made(), spec.Limits.MaxIterations)), now)
	s.Status, s.Reason = f.verdict()
	s.Message = f.ending()
	if why != "" {
		s.Status, s.Reason = loop.Aborted, loop.Imported
		s.Message = fmt.Sprintf("%s in %s at %s; it cannot continue here: %s", f.said(), f.Kind, f.count(), why)
	}
	s.Step, s.EndedAt = loop.StepDone, newest(past(f.EndedAt, s.StartedAt, now), s.LastAt)
	s.LastAt = s.EndedAt
	return s
}

// state returns what both have in common.
func (f *Found) state(spec loop.Spec, most int, now time.Time) loop.State {
	spec.Task.Text = cmp.Or(f.Task, f.TaskID, text.Clip(f.ID, 100), "unknown")
	spec.Task.ID = cmp.Or(slug(cmp.Or(f.TaskID, spec.Task.Text), 40), "task")
	spec.Parent = cmp.Or(spec.Parent, f.Parent)
	spec.Limits.MaxIterations = most
	spec.Gates = f.frozen(spec.Gates)
	began := past(f.began(), now, now)
	s := loop.New(spec, began)
	s.Recent, s.Iteration, s.Usage = f.history(spec.Gates, began, now), f.made(), f.Usage
	s.ProgressAt = past(f.ProgressAt, began, now)
	s.LastAt = past(f.UpdatedAt, began, now)
	for _, a := range s.Recent {
		s.LastAt = newest(s.LastAt, a.EndedAt)
	}
	return s
}

// frozen returns the gates. If none can be run, they are the named ones without a
// command, so that values and thresholds refer to something.
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

// past returns a plausible time: def for an unknown one, now for one in the future.
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

// Names yields names for a loop, best first: its own name, or one derived from it
// if that is not valid, and then either with a number, for names in use.
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

// madeName returns the kind, the valid part of the name, and 8 digits of its
// source, so that two of them differ.
func (f *Found) madeName() string {
	name := slug(f.ID, 30)
	if name == "" {
		name = slug(f.TaskID+" "+f.Task, 30)
	}
	return strings.Trim(string(f.Kind)+"-"+name, "-") + "-" + digest([]byte(f.Source + "\x00" + f.ID))[:8]
}

// slug returns the part of a text that is valid in a name, at most n characters.
func slug(s string, n int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text.Clip(s, 200)) {
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
