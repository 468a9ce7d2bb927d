// Package limits remembers, for one person on one machine, which accounts have
// spent their usage limit, and until when. All loops of all repositories ask it
// before they start an agent, so that one of them learns of a limit and none of
// the others runs into it.
//
//	$XDG_STATE_HOME/ralph/limits/limits.db
//
// # The end of a limit
//
// A reset time may be wrong. One loop tries first; the others wait for its result:
//
//	told ──▶ until ─┬─ one goes first ─┬─ its model answers ──▶ lifted: all go
//	                │                  ├─ told again ─────────▶ until a later time
//	                │                  └─ nothing for a while ─▶ the next goes first
//	                └─ asked before: held, each a little longer than the other
//
// Without a reset time, or with one in the past, the account is tried again
// after a minute, then after twice as long each time, at most an hour.
//
// # What is kept
//
// An account is a digest (see package agent); no key, token or name of a person is
// written. A damaged file is left as it is and reported; without this memory loops
// run as if they were alone.
package limits
