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
//	pending ───────────▶ setup ────────▶ base ─────────▶ agent ──▶ commit ──▶ gates ──▶ verdict
//	                       │               │               │ ▲        │       │  ▲  │         │
//	                       │               │          limit│ │Woke    │       ▼  │  │         │ passed,
//	                       │               │       question▼ │Answered│      proof  │         │ failed,
//	                       │               │             waiting      │             │         │ aborted
//	                       ▼               ▼                          ▼             ▼         ▼
//	                     (an error, a ceiling or AbortAsked concludes from anywhere)        keep ──▶ tidy ──▶ done
//
// "proof" comes once in an attempt that owes one, when its hard gates have passed; soft
// gates and reviews follow it.
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
// An agent-driven loop (seed 000) stands at "agent", with nothing to do, until its
// agent asks for a check. There is nothing to keep or to tidy:
//
//	           Committed              hard ones passed         Verifying
//	agent ──────────────▶ quick gates ───────────────▶ verify ───────────▶ base ──▶ gates ⇄ proof
//	  ▲                        │                                                      │
//	  └────────────────────────┴─────────── not passed, and attempts left ────────────┴──▶ done
//
// Committed with the digest of the tree begins the attempt. The quick gates run in the
// agent's own tree. The final verification judges a commit of that tree as a supervised
// loop is judged. Interrupted returns the loop to "agent": the agent may have changed its
// tree, so that its next check begins the attempt again. Loops of older versions have no
// final verification.
//
// Promises, held by property tests: `passed` needs a passed result of every
// hard gate on one commit (agent-driven: on one tree), and a non-empty diff
// where the gates were green before; no more attempts than the maximum; the time of a
// supervised loop counts only while a process runs it, and never more than the deadline
// of the action under way, that of an agent-driven loop from its beginning, except in a
// final verification; waiting for a limit, a person or a lock consumes no
// attempt; detectors never see an attempt that passed; a crash anywhere ends
// in the same verdict as none; a supervised loop that runs always has a next action; a
// refused event changes nothing.
package loop
