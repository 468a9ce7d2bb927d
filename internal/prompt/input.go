package prompt

import (
	"ralph/internal/learn"
	"ralph/internal/loop"
)

// MaxBytes is the size of a prompt where the input names none.
const MaxBytes = 64 << 10

// Input is what the page is made of. State is the loop before the attempt;
// everything else was found by whoever runs it.
type Input struct {
	State    loop.State
	Attempt  int
	Approach loop.Approach
	// Context are the files and symbols that the last failure lacked, read
	// already (seed 004's tier 2).
	Context []File
	// Diffs show what failed attempts changed, for the approach to forbid.
	Diffs []Diff
	// Learned are the patterns that fit, the best first.
	Learned []learn.Known
	// Interrupted: the tree holds partial work of this same attempt.
	Interrupted bool
	// Resumed: the agent goes on in the session in which a usage limit cut it off.
	Resumed bool
	// StateFile is where the agent can read the whole history.
	StateFile string

	// Template replaces the built-in one (text/template over Data).
	Template string
	// MaxBytes bounds the page; 0 means the constant of that name.
	MaxBytes int
	// Nonce marks the blocks of data. Empty: taken from a digest of the input,
	// which no text in the input can contain.
	Nonce string
}

// File is a piece of context.
type File struct{ Name, Text string }

// Diff is what one attempt changed: the subject of its commit, `git diff
// --stat` and the patch.
type Diff struct {
	Attempt              int
	Subject, Stat, Patch string
}
