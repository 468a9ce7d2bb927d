// Package opencode drives opencode in its run mode, reading its JSON events.
//
// What the driver hides, seen with version 1.18.33:
//
//   - There is no last event: a run is done when the last step has finished with
//     the reason "stop" and the process exits with 0.
//   - Nothing is printed while a tool runs or the provider is tried again. The
//     latter shows in its log, so the log is on.
//   - A tool that somebody would have to be asked for is refused, and with that
//     the run ends, with exit code 0. What is denied outright is told to the
//     model, and the run goes on: so everything outside of the tree is denied.
//   - When a conversation outgrows the model it compacts it, which may not help:
//     it then goes on for ever, and every round is paid.
//   - When it is told to come back in an hour, when there is no network at its
//     start, or when no provider is set up, it waits for ever.
//   - The cost of a model whose price it does not know is 0.
//   - It leaves 5 MB in TMPDIR with every run, and what its tools have started
//     runs on after INT and TERM.
//   - Several at once on a home that it has never seen fail ("database is
//     locked"); that is tried again.
//   - It asks a model for a title, unless it is given one.
package opencode
