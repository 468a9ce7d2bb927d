// Package opencode drives opencode in its run mode, reading its JSON events.
//
// What the driver hides, seen with version 1.18.33:
//
//   - There is no last event: a run is done when the last step has finished with
//     the reason "stop" and the process exits with 0.
//   - Nothing is printed while a tool runs or the provider is tried again. The
//     latter shows in its log, so the log is on.
//   - A tool that requires a user's approval is refused, and with that
//     the run ends, with exit code 0. A denial by rule reaches the
//     model, and the run continues: so everything outside of the tree is denied.
//   - When a conversation outgrows the model it compacts it, which may not help:
//     it then continues forever, and every round is paid.
//   - When it is told to come back in an hour, when there is no network at its
//     start, or when no provider is set up, it waits forever.
//   - The cost of a model whose price it does not know is 0.
//   - It leaves 5 MB in TMPDIR with every run, and what its tools have started
//     runs on after INT and TERM.
//   - Several at once with a new home directory fail ("database is
//     locked"); that is tried again.
//   - It asks a model for a title, unless it is given one.
package opencode
