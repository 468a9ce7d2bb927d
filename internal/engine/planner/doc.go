// Package planner runs plans: it asks the plan's machine what may go on, lets
// the engine run the loops of tasks, brings what has passed onto one branch, and
// keeps the plan's file true.
//
//	file ──read──▶ plan.Plan ─┐
//	                          ├─▶ plan.Next ──▶ actions, side by side
//	store ───────▶ plan.State ┘                  run a loop · land · review · prove
//	  ▲                                               │
//	  └──────────── plan.Apply ◀──── one event each ──┘
//
// One goroutine decides and records; each action has one of its own, which
// reports by an event. Actions carry a key: what is under way is not begun
// again, and after a crash the same keys are asked for, so that a loop that was
// cut off is resumed and a landing is looked at again.
//
// # Landing
//
// The integration branch ralph/<plan>/_landed is where tasks meet. A task starts
// from its tip, which holds all that the task needs, and is done when its own
// commits are on it. One task lands at a time: its commits are merged onto the
// tip without a work tree, the hard gates run on the result in a gate worktree,
// the intent is recorded, and the branch moves by compare-and-swap. Where the
// tip has not moved since the task began, the result is the very commit that
// was judged. What conflicts, or does not pass together with the rest, is given
// to a loop of one attempt that mends it; if that does not pass either, the task
// has failed (conflict), its work is kept, and the others go on.
//
// The state's tip is written before the branch moves. On recovery the branch is
// brought up to it; a branch that is anywhere else was moved by somebody else,
// and the run stops rather than guess.
//
// # The file
//
// People own the plan's file. It is looked at before each decision and read when
// it changed; what a person changed counts from then on. What ralph writes, at
// most once a second, are the few bytes that the format has for it. Where they
// cannot be written, the store's record goes on alone and says so.
package planner
