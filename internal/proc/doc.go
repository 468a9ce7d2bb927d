// Package proc starts every process that ralph starts, and ends it together
// with everything that it started itself.
//
// There are two ways. [Run] is for ralph's own short helpers (git). [Start] is
// for processes that may not end by themselves: agents, gates, set-up commands,
// and, through [Probe], programs that are asked for their version. Such a child
// runs under a shim, which is this same program run again as
// "ralph __shim <token>":
//
//	supervisor                     shim                        child
//	    |  start, new session        |
//	    |--------------------------->|  adopts orphans
//	    |  run.json                  |
//	    |  start request             |
//	    |======== lifeline =========>|  own process group
//	    |                            |-------------------------->|
//	    |<------------ stdout, stderr: pipes ---------------------|
//	    |  order: stop, timeout, …   |                           |
//	    |======== lifeline =========>|  INT, TERM to all below   |
//	    |                            |  STOP, KILL until no      X
//	    |                            |  process is left
//	    |                            |  exit.json
//	    |<-------- exits 0 ----------X
//	    |  reads exit.json, drains the pipes
//
// # Promises
//
// Nothing outlives its run: not a daemon that forked twice, began a session,
// closed its files, cleared its environment and ignores signals. The shim is
// the kernel's parent for orphans (PR_SET_CHILD_SUBREAPER), so that "no child
// to wait for" proves that no descendant is left.
//
// No child is unrecorded. The supervisor writes run.json first and then sends
// the start request. The shim starts nothing before it has the whole request,
// and if the supervisor dies in between, it reads the end of the lifeline and
// exits.
//
// No child outlives its supervisor. The end of the lifeline comes with the
// supervisor's death, whatever its cause, and means: end everything.
//
// No secret is on a command line or in a file: arguments and environment of
// the child travel through the lifeline.
//
// No other process is signalled. A pid is only ever used with its start time, which
// is compared while a pidfd holds the process; see [Recover].
//
// Success is narrow: [Exit.OK] is exit code 0 of a child that ended by itself.
// A signal has no exit code.
//
// Output of any size and kind flows without buffering, straight from the
// child into the writer; the shim is not in that path. [Capture] is the writer
// that keeps a bounded part.
//
// # The end of a child
//
// The orders are one byte each. A stop sends INT, after a third of the grace
// TERM, at its end KILL; time-outs, cancellation and the lifeline's end send
// TERM, at the grace's end KILL, and with Spec.Interrupt the former two are as
// polite as a stop; kill is KILL at once. Except for that INT, polite signals go
// to every descendant, followed by CONT. KILL is a sweep: STOP all processes
// until no new one appears, KILL them, and repeat until none is left. When a
// child ends by itself, the descendants that it leaves have 500 ms to follow,
// then TERM, 500 ms, and the sweep. What cannot be ended within 10 s (another
// user's process, one stuck in the kernel) is counted in Exit.Survivors.
//
// # Files of a run
//
// run.json names the shim: pid, start time, boot id, pid namespace. exit.json
// describes the child's end. Both are replaced atomically.
//
// run.json is not synced to the disk. It serves to find processes after ralph
// has crashed, when the kernel still has the file in its cache; after a power
// cut there are no processes to find, and a torn or missing run.json leads to
// no signal. exit.json is synced only when the lifeline has ended: while the
// supervisor lives it reads the file and journals the outcome durably itself;
// when it is gone, exit.json is the only record. A power cut may lose how a child
// ended, and unknown is never success.
//
// # Failures
//
//	supervisor killed          the shim ends everything, exit.json: abandoned
//	shim killed by the agent   its orphans become the supervisor's children,
//	                           which ends them: Wait gives ErrLost
//	shim frozen by the agent   when an order is not followed within the grace
//	                           and 15 s, the same
//	both killed                Recover finds processes with RALPH_RUN=<token>;
//	                           a process without environment escapes
//	supervisor fenced, frozen  Recover tells the shim (TERM) to end
//	file system full           run.json: Start fails, nothing was started;
//	                           exit.json: ErrLost
//
// A malicious agent of the same user can kill shim and supervisor at
// once. Only a sandbox with a pid namespace prevents that.
//
// # Systems
//
// Linux has all of this. Control groups are not used: they need a delegated
// subtree, and the sweep above left no process alive either.
//
// macOS has no subreaper and no pidfd. The sweep covers the child's process
// group and what can be reached from the shim by parents. A daemon that left
// both escapes; so does any process that survives a killed shim; and between the
// check of a start time and the signal a pid could be reused.
//
// On Windows there is no shim. The child lives in a job object that ends with
// the supervisor; there are no polite signals, every order ends the job at
// once; Recover knows only that something was started. A process that the
// child starts before it is put into the job escapes.
package proc
