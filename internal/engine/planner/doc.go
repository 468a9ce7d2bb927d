// Package planner runs plans: it asks the plan's machine what may happen next,
// has the engine run the loops of tasks, merges what passed onto one branch, and
// keeps the plan's file true.
//
//	file ──read──▶ plan.Plan ─┐
//	                          ├─▶ plan.Next ──▶ jobs, side by side
//	store ───────▶ plan.State ┘                  run a loop · land · review · prove
//	  ▲                                               │
//	  └──────────── plan.Apply ◀──── one event each ──┘
//
// One goroutine, the event loop, decides and records. Each action is a job with a
// goroutine of its own, which reports events and never reads the run's state.
// Actions have keys: an action in flight is not started again, and after a crash
// plan.Next returns the same keys, so that a loop that was cut off is resumed and
// a landing is checked again.
//
// # Landing
//
// The integration branch ralph/<plan>/_landed is where tasks meet. A task starts
// from its tip, which holds all that the task needs, and is done when its own
// commits are on it. One task lands at a time: its commits are merged onto the
// tip without a work tree, the hard gates run on the result in a gate worktree,
// the intent is recorded, and the branch moves by compare-and-swap. Where the
// tip has not moved since the task began, the result is the very commit that
// was judged. A merge that conflicts, or does not pass together with the rest,
// goes to a loop of one attempt that repairs it; if that does not pass either,
// the task has failed (conflict), its work is kept, and the others continue.
//
// The tip is recorded before the branch moves. Recovery moves the branch up to
// it; where the branch is anywhere else, another program moved it, and the run
// stops rather than guess.
//
// # Where plans live
//
// A planner knows an engine.PlanStore, and no database: create, acquire, read, list,
// inbox, wake. Evidence files and prompts of reviewers are in a folder of this
// machine (Planner.Dir).
//
// # The file
//
// Users own the plan's file. The run looks at it before each decision and reads
// it when it changed; a change by the user counts from then on. ralph writes,
// at most once a second, less often in a long plan, and before it records that the run
// stops, the few bytes that the format has for status. Where they cannot be written,
// the store's record continues alone and the plan's note explains it.
package planner
