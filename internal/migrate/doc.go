// Package migrate reads the state that other runners of loops left in a
// repository and says what each loop becomes here. It changes nothing: what it
// finds is recorded by package store, once for each source.
//
//	kind           where                                     loops
//	aiwg           .aiwg/ralph                               registry v2, loops/<id>, archive, current-loop.json
//	aiwg-external  .aiwg/ralph-external                      session-state.json, loops/<id>, archive
//	agileflow      .agileflow/sessions/agent-loops/<id>.json driven by their agents, one gate each
//	ralph-state    .ralph_state.md, .ralph_state.json        one task, with the output of its last failure
//	claude         .claude/ralph-loop.local.md               one prompt, repeated by a stop hook
//
// The parsers are functions of bytes: Parse… ([]byte) (Found, []Loss, error).
// Look walks a file system and hands them what it finds.
//
// # What a file may do
//
// The files were written by programs with known defects, by people, and perhaps
// by somebody hostile. So sizes and counts are bounded, links that leave the
// tree are not followed, an id is only a wish (see Names), text is text, and a
// command is a proposal: nothing runs before a person resumes the loop. A file
// that cannot be read whole is an *Error with its line and is imported not at
// all; the others go on. A value that makes no sense (a maximum that is null, a
// time in the year 9999) is unknown, and named as lost.
//
// # What becomes of a loop
//
// One that ended stays ended, as its runner said; ralph claims no evidence of
// it. One that did not is paused here, when it carries a task, attempts left and
// something that proves it done; else it is ended as aborted, and says why. Time
// starts anew, since it is not known how long anybody worked on it.
package migrate
