// Package gate runs one frozen check on one tree and reports its result.
//
//	command       the exit code alone
//	tests         the exit code, and the results that the runner printed
//	coverage      the exit code, and a fresh report with enough lines covered
//	lint, types   the exit code, and a fingerprint of the findings
//	visual        every image in a folder is marked as looked at, and unchanged
//
// One of kind mutation runs its command many times, each time as a gate of kind tests:
// package worker, mutation.go.
//
// The rule is that it fails closed. A gate passes when its command ended by
// itself with 0 and everything that had to be read could be read and agrees.
// Failed means that the check found a failure: another exit code, a signal, a
// deadline, a failed test, too little coverage. Error means that there was no
// result: the command could not start, nothing it printed could be parsed, its
// report is missing, stale or nonsense. Skipped happens only to an optional
// gate whose tool is not installed, and the gate looks for the tool itself;
// the tool's own message is not enough. A gate is run exactly once, however it
// ends.
//
// For a runner that is known (go test, pytest, node --test, cargo test, …),
// an explicit parse, or min_tests, results must be readable. For a wrapper
// (npm test, make test, mvn test) they count where they are readable. For
// every other command the exit code decides, and readable results only serve
// to name the failure. "parse: exit" turns reading off.
//
// A report is fresh when it was written between the gate's start and its end:
// it must differ from an earlier file, and its time must not be older than the
// start. It is opened below the root of the tree, and links that lead out of
// it are refused.
//
// The whole output is read as it comes, whatever its size, by line readers of
// bounded memory; up to 64 MiB of it are kept in the log. Commands need an sh
// on the PATH, on Windows too (that of Git for Windows does).
package gate
