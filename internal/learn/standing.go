package learn

import (
	"cmp"
	"slices"

	"ralph/internal/loop"
)

// Outcome is what became of the loop that a pattern was taken from. A loop that
// has not ended has none, and neither has a source that was recorded before
// outcomes were.
type Outcome string

// Driven is a loop that passed in the tree of the agent that drove it: its work
// is in the user's tree already, and nothing is left to accept.
const (
	OutcomeAccepted Outcome = "accepted"
	OutcomeDriven   Outcome = "driven"
	OutcomePassed   Outcome = "passed"
	OutcomeFailed   Outcome = "failed"
	OutcomeAborted  Outcome = "aborted"
)

// OutcomeOf returns the outcome of a loop; none before its end.
func OutcomeOf(s loop.State) Outcome {
	switch {
	case s.Reason == loop.Left: // it has not ended, and is elsewhere
		return ""
	case s.Accepted != "":
		return OutcomeAccepted
	case s.Status == loop.StatusPassed && s.Mode == loop.AgentDriven:
		return OutcomeDriven
	case s.Status == loop.StatusPassed:
		return OutcomePassed
	case s.Status == loop.StatusFailed:
		return OutcomeFailed
	case s.Status == loop.Aborted:
		return OutcomeAborted
	}
	return ""
}

// Withheld returns why no prompt shows the pattern, in a few words; an empty
// string where prompts may show it. A pattern that was taken from a loop counts
// once its work was accepted; that of an agent-driven loop, which leaves nothing
// to accept, once a person promoted it, and so does a note that an agent wrote.
func (k Known) Withheld() string {
	switch {
	case k.Review == Dropped:
		return "dropped"
	case k.Worn():
		return "it did not help"
	case k.Text != "" && k.Review == Promoted, k.Text == "" && k.outcome() == OutcomeAccepted:
		return ""
	case k.Text != "":
		return "no person has promoted it"
	}
	switch k.outcome() {
	case OutcomeDriven:
		if k.Review == Promoted {
			return ""
		}
		return "its loop was agent-driven, and no person has promoted it"
	case OutcomePassed:
		return "the work of its loop is not accepted"
	case OutcomeFailed:
		return "its loop failed"
	case OutcomeAborted:
		return "its loop was aborted"
	}
	return "whether its loop was accepted is unknown"
}

// Usable returns the patterns that prompts may show.
func Usable(all []Known) []Known {
	return slices.DeleteFunc(slices.Clone(all), func(k Known) bool { return k.Withheld() != "" })
}

// outcome of the loop whose work the pattern shows: that of its first source.
func (p Pattern) outcome() Outcome {
	if len(p.Sources) == 0 {
		return ""
	}
	return p.Sources[0].Outcome
}

// standing ranks outcomes: accepted work before that which a person may still
// promote, before all other.
func (o Outcome) standing() int {
	switch o {
	case OutcomeAccepted:
		return 2
	case OutcomeDriven:
		return 1
	}
	return 0
}

// TaughtBy reports whether a loop is among the sources that are kept.
func (p Pattern) TaughtBy(loop string) bool {
	return loop != "" && slices.ContainsFunc(p.Sources, func(s Source) bool { return s.Loop == loop })
}

// mergeSources puts the sources with the best standing first, then the newest. A
// loop that taught the pattern again, since it was accepted, is named once.
func mergeSources(old, again []Source) []Source {
	out := slices.Clone(again)
	for _, s := range old {
		if !slices.ContainsFunc(again, func(a Source) bool { return a.Loop != "" && a.Loop == s.Loop && a.By == s.By }) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Source) int { return cmp.Compare(b.Outcome.standing(), a.Outcome.standing()) })
	return out[:min(len(out), mostSources)]
}
