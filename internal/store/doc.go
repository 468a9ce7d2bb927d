// Package store keeps loops and plans: their state, their events, the right to
// write them, and the worktrees they use. One SQLite database is the truth; everything else
// is a lock, a big file named by an event, or a view for people.
//
//	<dir>/ralph.db              the truth (WAL, synchronous=FULL)
//	<dir>/ralph.db.before-vN    a copy made before the schema became version N
//	<dir>/sessions              which sessions began loops, so that hooks need not ask the database
//	<dir>/loops/<id>/owner.lock a kernel lock that lives as long as the owner
//	<dir>/loops/<id>/wake       touched when a message was sent
//	<dir>/plans/<id>/           the same files of a plan
//	<dir>/archive/<id>/         the files of archived loops
//	<dir>/make.lock, views.lock short locks; like owner.lock never unlinked
//	<Views>/                    views: registry.json, log.jsonl, loops/<id>/…
//
// # One transition is one transaction
//
// The Commit of a lease compares the epoch, appends the events, replaces the state, moves
// the registry's counters and marks the messages that were taken, in a single
// immediate transaction. Each attempt has a row of its own, which is written when it
// changes: the state keeps the newest ones and has a maximum, so that a step writes
// as much in a loop of a thousand attempts as in one of ten. When it returns nil all of it is on disk; when it
// returns an error none of it counts. A row also carries its number of events,
// which is compared too: after an error whose outcome is unknown (a disk that
// failed in the middle of a sync) a lease refuses to continue from a guess.
//
// # Loops and plans
//
// A loop and a plan are two machines and one kind of record: a row with the epoch
// and the number of events, a journal, an inbox, an owner's lock. The generic lease
// in lease.go holds all of that for both; a kind names the tables. LoopLease and
// PlanLease are made of it: Create records a new run and acquires it, Acquire acquires
// one that is recorded, Commit records a transition. What differs is what a commit writes
// besides: of a loop its state, summary, counters and ledger, of a plan its header and
// the tasks that changed.
//
// Both tables have the same columns for what lists ask, so that one query lists, counts or
// reads the runs of either kind as an Entry, and one generic reader adds their states to
// Records. A list is one transaction, and a second one where runs seem to have crashed.
//
// Supervisors read all unended runs with what was tried for them (Unended), package recovery
// decides, and Claim takes the try by comparing the record in the transaction that
// replaces it.
//
// # Who may write
//
// Safety is the epoch: it grows by one at each acquisition, and every write
// names the epoch it was made under. A writer with an older one gets a
// *FencedError, whatever it believes about itself.
//
// Liveness is a kernel lock. The owner with epoch n holds byte n of owner.lock
// for as long as its process lives, so a killed owner is gone within a
// millisecond, and no process has to trust a pid. Asking does not take the lock
// (F_OFD_GETLK), so a question never disturbs an acquirer. Taking a loop over
// locks the next byte: the former owner keeps the lock on its own byte, which no
// longer counts. "Is there an owner?" therefore asks for a lock at byte n or beyond.
//
//	            A: byte 1 ─────────────SIGSTOP···········SIGCONT─ commit(epoch 1): fenced
//	owner.lock
//	            B:                        take over: byte 2 ──── commit(epoch 2): ok
//
// All acquisitions happen inside the write transaction, so two of them never
// overlap. Host, boot, pid and start time of the owner are recorded too, but
// only to show them and to decide what may be killed.
//
// A reader looks at the row, then at the lock; if no process holds it the row is
// read again, because an owner that ends commits first and releases it afterwards.
//
// # Admission
//
// Create counts, inside its transaction, the loops that hold a slot: supervised
// ones while their owner lives and does not pause, agent-driven ones until they
// end or their time is over. A refusal leaves no row and no directory. AcquireToRun
// asks the same of a loop that is resumed; Acquire does not.
//
// # Views
//
// Views are written after the commit, under a lock, from a fresh read; those of a
// loop that is driven beside its next steps, so that steps that follow one another are
// shown together. Starting an agent, the end of the loop and that of a lease wait for
// them. Each line of log.jsonl carries the position of its event, and the log is appended last:
// the position in its last line says up to where all views are true, and is the
// only watermark. A writer that dies before leaves the rest to the next one; a
// torn last line is cut off. Delete the folder, and the next commit writes it
// again. Errors of views never fail a commit: see Store.ViewError and Check.
//
// The log may be a file of the project that others write to as well (Options.Bus).
// Then it is only appended to, and the watermark is the last line of ours.
//
// # Files
//
//	store, transact, busy      opening the database, and one transaction
//	schema, migrate, older     its versions, and how it is made and migrated
//	run, lease, heartbeat, inbox, owner, lock, held   what loops and plans share: journal, lease, messages, lock
//	loopcreate, looplease, driven  loops: a new one, its owner, one without an owner
//	loopcommit, attempts       a transition, and the rows of the attempts it changes
//	entry, record, list, since one run, many runs, what moved
//	events, chain, audit       the journal: its events, their hashes, and their comparison
//	plans, plancreate, planlease, plancommit, planreserve   plans: the same, and the budget of their reviews
//	admission, slot            how many loops may run, in a repository and on a machine
//	trees                      in which worktree
//	budget, reserve, settle    limits, reservations, and what they came to
//	checkpoint, restore        states to begin again from
//	learned, patterns          what ended loops teach
//	recovery, uptime           orphaned runs and the record of their restarts
//	damage, integrity, repair, replay, setaside   what ralph doctor finds and repairs
//	views, view…, bus          the files for people and other programs
//	archive, import, artifact  the archive, other runners, files that loops share
//
// # What was learned
//
// Patterns outlive the loops that taught them. That a loop has ended and nothing
// was learned from it yet stands in the transaction that ends it; see Learn.
// What a loop was shown is recorded with the event that its attempt began.
//
// # Failures
//
//	*BusyError      another process wrote for longer than Options.Wait
//	*NewerError     the database was made by a newer ralph; not one byte changed
//	*CorruptError   not a database of ours, or damaged; not one byte changed
//	*HeldError      a living owner has the loop, or the tree
//	*FencedError    another owner took the loop over: stop, write nothing more
//	*SameTaskError      another loop of the same task has not ended
//	*AdmissionError      as many loops as allowed are running
//	*AmbiguousError a prefix that fits several loops
//
// # Limits
//
// On Linux the locks are open-file-description locks. On other Unix systems
// flock is used, one file for each epoch, and asking takes a shared lock for an
// instant. On Windows LockFileEx is used, and file modes mean nothing. Network
// file systems are trusted only as far as their byte-range locks work.
package store
