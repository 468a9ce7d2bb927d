package project

import (
	"time"

	"ralph/internal/engine"
	"ralph/internal/view"
)

// Facts returns what the record of a loop holds besides its state.
func Facts(l engine.Loop) view.Facts {
	return view.Facts{History: l.History, Crashed: l.Crashed, Archived: l.Archived, EvidenceFile: l.EvidenceFile, Changed: l.Changed, Live: l.Live, Owner: l.Owner, Awaits: l.Awaits, Recovery: l.Recovery}
}

// Item returns a loop with what its record holds. What is read besides, package runs adds.
func Item(l engine.Loop) view.Item { return view.Item{State: l.State, Facts: Facts(l)} }

// View builds the view of a loop.
func View(l engine.Loop, now time.Time) view.Loop { return view.LoopOf(Item(l), now) }
