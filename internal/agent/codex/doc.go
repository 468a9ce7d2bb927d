// Package codex drives Codex in its non-interactive mode (codex exec), reading
// its stream of JSON events.
//
// What the driver hides, seen with version 0.169.0:
//
//   - Without a network, or asked to come back in an hour, it waits forever and
//     reports it at most once.
//   - Its usage is that of the whole thread, also over a resumed one, and cached
//     input is part of input. It reports neither cost nor model.
//   - An item of type error is a warning; an error event is a retry. What ends a
//     turn badly is turn.failed, whose message alone has the reason.
//   - Blocks by its sandbox are not reported: the turn ends well, and nothing was
//     written. In the sandbox .git cannot be written: ralph commits.
//   - Its sandbox is a bubblewrap of its own, also inside of ralph's. Where it
//     cannot have one every command and every edit fails, and that is not
//     reported either. In ralph's Landlock it is therefore switched off, and
//     ralph's sandbox holds the run alone.
//   - A prompt of more than 1,048,576 characters is refused.
//   - SIGINT makes it end its commands, SIGTERM leaves them.
package codex
