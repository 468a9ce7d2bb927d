// Package runs is what commands do with the loops and plans of a project: find
// the one that a command is about, describe it for people and for programs, put
// its questions, raise its budgets, and end it. It is a leaf that the command
// groups share.
package runs
