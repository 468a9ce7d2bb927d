// Package mutant writes mutants of the lines that a work changed: each is a source with one
// small error, such as < in place of <=. Tests that pass all the same do not notice the
// error, so they say little about that line.
//
// The errors are those that tools of mutation testing make (Stryker, PIT, mutmut): another
// comparison, arithmetic or logical operator, another number or truth value, another
// returned value, a condition the other way round. They are made in the text, in any
// language that marks comments and texts as C, Python or the shell do. So a mutant may not
// build; it says nothing then.
//
// Which mutants are tried is the same each time for the same work.
package mutant
