// Package learn extracts patterns from the record of a loop, so that another loop
// can use them. It is pure: the store keeps the patterns, a prompt shows them.
//
//	a loop ended, or
//	was accepted ─▶ Extract ─▶ patterns ─▶ store (seen, used, helped, reviewed)
//	                                              │
//	a loop begins an attempt ─▶ Query ─▶ Match ◀──┘
//	                                       └─▶ Render ─▶ a section of its prompt
//	that loop ends ─▶ Helped ─▶ counts
//
// # What is learned
//
// Nothing here asks a model. A pattern is a fact of the record (seed 001: error,
// success and anti-patterns):
//
//	error_fix     a failure that was there after one attempt, gone after the
//	              next, and did not come back: its fingerprint, its first lines
//	              verbatim, the files and the change that ended it. Gone means
//	              that its gate passed, fewer tests failed, or tests ran where
//	              none could; a failure that hides behind another is not gone
//	success       how a loop passed: agent, attempts, files, gates
//	anti_pattern  an approach given up after it failed the same way again and
//	              again, or a change under which a measured value fell
//	note          what a person or an agent wrote down
//
// An attempt that changed nothing fixed nothing: such a failure went by itself.
// A failure that printed nothing is not learned: two of those look alike and are
// not.
//
// What changed judge files is left out: those that package proof tells by their names, and
// those that the gates of the loop judged by. An agent's note is its words: a person
// reads and promotes it, or no prompt shows it.
//
// # Trust
//
// Only accepted work becomes advice: a pattern counts once its loop was accepted.
// Until then, and forever where the loop failed, it is listed with the reason
// (Withheld), and never changes what accepted work taught (Merge).
//
// Diffs, errors and file names were written by agents and programs. They are
// cleaned and bounded when they are taken down, and again when they are shown:
// quoted, between marks that they cannot write, under a heading that names
// their source. A person's review only approves the note; it is quoted all the
// same, and it does not make up for an acceptance.
package learn
