// Package review asks other agents for verdicts on a piece of work, and
// counts them (package ballot, which is pure).
//
//	Request ──▶ prompt with a nonce ──▶ reviewer, in a tree of its own ──▶ answer
//	                                        │ git: was anything changed?      │
//	                                        ▼                                 ▼
//	                                     tampered            ballot.Parse: verdict or not
//	                                        └───────────────▶ ballot.Count ──▶ Outcome
//
// # Promises
//
// A reviewer sees the task, the criteria, the diff and the gate results,
// never the story of the author. Each is asked in a fresh context, with the
// permissions to read where its driver knows any.
//
// The reviewed material cannot vote. It stands in blocks of data that it
// cannot close (package fence), and a verdict counts only with a nonce that
// is made for one question to one reviewer and stands outside of all data.
//
// Only a clear verdict can be an approval. An answer without one is asked for
// once more, with the error; a reviewer that fails for a passing reason too.
// After that it has not voted.
//
// Reviewers change nothing. Each works in a scratch tree at the commit in
// question, which git compares afterwards and which is removed; the vote of
// a reviewer that changed something there is ignored.
package review
