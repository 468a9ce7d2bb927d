package engine

import (
	"slices"

	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// Loop is everything about one loop.
type Loop struct {
	State loop.State
	// History are all attempts, the oldest first: State has only the newest. Show
	// reads them; Complete adds them to the loops of a List.
	History []loop.Attempt
	// Changed are files of the evidence of an ended loop that are missing or not as they
	// were recorded. They are known where the history is.
	Changed []string
	Facts
	// Dir holds its files: prompts, output, evidence.
	Dir string
	Seq int64
}

// ForAgents returns the loop as agents hear of it: of hidden gates their verdicts alone.
func (l Loop) ForAgents() Loop {
	l.State = l.State.ForAgents()
	l.History = slices.Clone(l.History)
	for i, a := range l.History {
		l.History[i] = a.ForAgents()
	}
	return l
}

// RunFacts are those facts about a loop or a plan that its state alone does not hold.
type RunFacts struct {
	Live, Crashed, Archived bool
	Owner                   string
	// Recovery records the acts of supervisors for the crashed run since it
	// last made progress.
	Recovery recovery.Restarts
	// Damage is what is wrong with the run's record. Its state then shows little more
	// than its name, and waits for a person.
	Damage string
}

// Facts are those facts about a loop that its state alone does not hold.
type Facts struct {
	RunFacts
	// EvidenceFile is the archive with the files of its attempts; empty while they are
	// not packed.
	EvidenceFile string
	// Holds: it counts against the limit of loops.
	Holds bool
	// Due: the state shown includes effects of time on an agent-driven loop
	// that are not recorded yet (RecordDue).
	Due bool
	// Process tells owners apart: the loops and the plan of one process have the
	// same.
	Process string
	// Kept is the ref that has the failed work here; empty: the branch State.FailureRef.
	Kept string
	// Awaits is which worker of a team a live loop waits for, or what its worker waits for;
	// empty: one has it, and works.
	Awaits string
}

// Mark is where a loop stood when it was looked at. Two marks that are equal
// stand for the same Loop, unless it is unsteady.
type Mark struct {
	ID                      string
	Seq                     int64
	Live, Crashed, Archived bool
	// Unsteady: the state shown may change without an event. Time ends a loop
	// that its agent drives, and supervisors restart a crashed one.
	Unsteady bool
}

// Integrated is a passed loop's work on top of another commit.
type Integrated struct {
	Commit string
	// FastForward: no new commit was needed, so the proved commit itself is on
	// the branch.
	FastForward bool
	Results     []loop.Result
}

// Accepted is the result of accepting a passed loop.
type Accepted struct {
	Branch, Commit string
	// FastForward: the very commit that was proved is the branch's tip now.
	FastForward bool
	// Already: the branch held the work before.
	Already bool
	// Results are the gates that were run again on the merged result.
	Results []loop.Result
	// Stays is why a merged branch of the run could not be deleted; the work is accepted
	// all the same.
	Stays error
}
