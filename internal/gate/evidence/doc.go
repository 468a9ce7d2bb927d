// Package evidence extracts facts from a command's output, without running
// anything.
//
//	Excerpt      the output as a person reads it, cut in the middle to 100 lines
//	Fingerprint  8 hex digits that are equal when the failure is the same
//	Detail       8 hex digits that tell failures of the same tests apart
//	Missing      the files and symbols that the failure says it lacks
//	Collector    all of these from a stream, in bounded memory
//
// Failed tests are identified by their names alone. Where there are no names, the
// lines of the output identify a failure, and the fingerprint errs on the side of
// "different": two failures that look different cost one more attempt, two that
// are wrongly taken for the same one stop a loop that was moving. Normalising
// therefore removes only details that change from run to run by themselves: where
// the tree lies, when it ran, which pid, port or address it got, and on which line
// a statement stands.
package evidence
