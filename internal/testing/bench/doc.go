// Command bench measures what ralph promises about speed, each number beside
// its floor: what the same work costs without ralph, on the same machine, in
// the same minute. The two take turns (floor, ours, floor, ours, …), so that a
// load that comes and goes falls on both; what is told is the median, with the
// smallest and the largest beside it.
//
//	go run ./internal/testing/bench                    # about half an hour, to standard output
//	go run ./internal/testing/bench -quick -only attempt
//	make bench                                 # writes docs/benchmarks.md
//
// Nothing is asserted: a time in a test fails on a busy machine and passes on
// a fast one. Whether a target was reached stands in the table.
//
// The program builds ralph and a hello world with the same flags, makes its
// own repositories in a folder that it removes, and runs ralph there with an
// empty home. Where a number can only be had inside a process (transitions of
// the store, a child under a shim), it starts itself in a role; see roles.
package main
