// Package local is the engine of one machine: goroutines, child processes and
// the store. A loop is driven by the holder of its lease, in this process (package
// runner); other processes reach it through its inbox.
//
// # What it keeps where
//
// Loops live in an engine.Store, as those of any engine do: Engine.loops acquires and
// commits, resolves names, reads states, events and inboxes. Engine.store is the database
// of this machine. It is asked for what engine.Store does not know: the owner of a loop here
// and where its files are (Show), lists with filters, marks and counts, worktrees,
// artifacts, lists of checkpoints, budgets, admission, patterns, agent-driven loops. In a
// team it holds a copy of every loop that this machine drives.
//
// # After a crash
//
// The new owner ends what the old one left running, repairs the worktrees that
// the loop has (and no others: those that it returned may belong to another
// loop), records Interrupted where a step was cut off, and repeats the same
// step. Each action finds the results of an earlier try: branches and failure
// branches that are there already, commits that hold the tree's content, trees
// that are half made. A pending command is taken by the next owner.
//
// # Taken over
//
// An owner whose epoch is over gets ErrFenced: from each record, from its
// inbox, which is read whenever a command arrives, and before each action. It
// ends its own children and writes nothing more. One that was stopped (SIGSTOP)
// inside a transaction blocks all writers; those that wait learn its pid.
//
// # A full disk
//
// While a disk that the loop needs is full, nothing that went wrong is believed:
// the run waits for space where Options.SpaceWait does, and otherwise ends with ErrNoSpace; then
// the step is done again, as after a crash. The wait is recorded as a Gap of the loop.
package local
