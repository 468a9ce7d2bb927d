// Command bench measures what ralph promises about speed. Each number stands
// beside its floor: the cost of the same work without ralph, on the same
// machine, in the same minute. The two alternate (floor, ralph, floor, ralph,
// …), so that other load on the machine affects both. The result is the median,
// with the minimum and the maximum.
//
//	go run ./internal/testing/bench                    # about half an hour, to standard output
//	go run ./internal/testing/bench -quick -only attempt
//	make bench                                 # writes docs/benchmarks.md
//
// Nothing is asserted: a time in a test fails on a busy machine and passes on a
// fast one. The table shows whether a target was reached.
//
// The program builds ralph and a hello world with the same flags, creates its
// repositories in a folder that it removes, and runs ralph there with an empty
// home. To measure inside a process (transitions of the store, a child under a
// shim), it starts itself in a role; see roles.
package main
