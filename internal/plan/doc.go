// Package plan is the machine of a plan, and the graph of its tasks. The machine decides
// as that of package loop does: Apply changes a State by an Event, Next says what to do;
// landing.go decides which work lands, review.go and gaps.go what the whole lacks.
//
//	         Opened           all tasks over       ProofBegan, Proof
//	pending ───────▶ working ───────────────▶ proving ───────────▶ reviewing ──▶ over:
//	                  ▲   ▲                                            │         passed, failed,
//	                  │   └──── findings that the plan works on ───────┘         aborted
//	                  └──────── Resumed: with the tasks that are open ───────────────┘
//
// Rested stops a run in any stage: the plan waits for a person, is paused, or has ended;
// AbortAsked ends it from any. A task of "working" (TaskState):
//
//	           Started         Stopped               LandBegan       Landed
//	pending ──────────▶ running ───────▶ landing ───────────▶ onto ─────────▶ done
//	   ▲                  │  │ chunks       ▲                 │  ▲
//	   │                  │  └──▶ review ───┤        Repairing│  │Repaired
//	   │    review: again │          │      │                 ▼  │
//	   ├──────────────────┼──────────┘      │           a loop merges ──▶ NotLanded
//	   │                  ▼                 │                                 │
//	   └── Resumed ──── failed ◀────────────┼─────────────────────────────────┘
//	       (retry)                          └ LandingStale: on the new tip
//
// The graph tells which task waits for which, how many can run at once, and how long the
// longest chain of them is.
//
//	Plan ── Graph() ──▶ levels    what could run in the first turn, the second, …
//	  │                 longest   a chain that nothing can shorten
//	  └─ Open() drops   cover     the fewest chains that hold every task
//	     what is done   widest    tasks of which none waits for another
//	                    turns     how long k loops need, one task a turn each
//
// The package is pure: it reads no file and knows no clock. Validate reports each
// mistake of a plan with its line.
package plan
