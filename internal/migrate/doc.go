// Package migrate reads the state that other loop runners left in a repository and
// converts each loop. It changes nothing: package store records what it finds, once
// for each source.
//
//	kind           where                                     loops
//	aiwg           .aiwg/ralph                               registry v2, loops/<id>, archive, current-loop.json
//	aiwg-external  .aiwg/ralph-external                      session-state.json, loops/<id>, archive
//	agileflow      .agileflow/sessions/agent-loops/<id>.json driven by their agents, one gate each
//	ralph-state    .ralph_state.md, .ralph_state.json        one task, with the output of its last failure
//	claude         .claude/ralph-loop.local.md               one prompt, repeated by a stop hook
//
// The parsers are functions of bytes: Parse… ([]byte) (Found, []Loss, error).
// Look walks a file system and calls them.
//
// # What a file may do
//
// The files were written by programs with known defects, by people, and perhaps by
// attackers. So sizes and counts are bounded, links out of the tree are not
// followed, an id is only a wish (see Names), text is text, and a command is a
// proposal: nothing runs before a user resumes the loop. A file that cannot be read
// completely is an *Error with its line and is not imported; the others are. A value
// that makes no sense (a null maximum, a time in the year 9999) is unknown, and
// reported as lost.
//
// # What becomes of a loop
//
// An ended loop stays ended with its runner's verdict; ralph claims no evidence for
// it. An open loop is paused if it has a task, attempts left and a check; otherwise
// it ends as aborted with the reason. Its clock restarts, since the time spent on it
// is unknown.
package migrate
