// Package loop is the machine that iterates one task until its gates pass or a
// limit stops it. It is pure: it starts nothing, reads no clock and does not know
// its caller. A local engine, a workflow, or an agent that calls `ralph loop
// check` runs it as an event loop:
//
//	action := loop.Next(state)           // what to do now: exactly one thing
//	event  := <do it, see what happens>
//	state, err = loop.Apply(state, event) // record it, refuse the impossible
//
// Next depends on the state alone, so recovery after a crash is to load the
// state and ask again. Every action has a key that is the same each time the
// same action is asked for.
//
//	           Acquired        Prepared      base gates      ┌──────── next attempt ───────┐
//	pending ───────────▶ setup ────────▶ base ─────────▶ agent ──▶ commit ──▶ gates ──▶ (judge)
//	                       │               │               │ ▲        │          │         │
//	                       │               │          limit│ │Woke    │          │         │ passed,
//	                       │               │       question▼ │Answered│          │         │ failed,
//	                       │               │             waiting      │          │         │ aborted
//	                       ▼               ▼                          ▼          ▼         ▼
//	                     (an error, a ceiling or AbortAsked concludes from anywhere)     keep ──▶ tidy ──▶ done
//
// A pause that was asked for happens at the next boundary between two steps;
// Resumed continues there. "keep" puts failed work on a branch, "tidy" releases
// the worktrees; only then does the loop get its terminal status, so a crash while
// closing is closed on recovery. A terminal status never changes; that the work
// was accepted is only noted (Accepted). Work that could not be kept stays in its
// worktree, which is then not released.
//
// After a crash the new owner records Acquired and, where the step under way
// was cut off, Interrupted; then Next asks for that step again.
//
// An agent-driven loop (seed 000) stands at "agent" until its agent asks for a
// check: Committed with the digest of the tree begins the attempt, the gates
// follow, and there is nothing to keep or to tidy.
//
// Promises, held by property tests: `passed` needs a passed result of every
// hard gate on one commit (agent-driven: on one tree), and a non-empty diff
// where the gates were green before; no more attempts than the maximum; time
// counts only while a process runs the loop, and never more than the deadline
// of the action under way; waiting for a limit, a person or a lock consumes no
// attempt; detectors never see an attempt that passed; a crash anywhere ends
// in the same verdict as none; a running loop always has a next action; a refused
// event changes nothing.
package loop
