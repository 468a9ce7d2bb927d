// Package testout reads the results of tests from the output of test
// runners.
//
// A Parser takes lines as they come and holds bounded memory, so it sees the
// whole of an output of any size. It feeds every line to one small reader per
// format; each of these recognises its own format by content and ignores
// everything else. Report then adds the results of the formats that were allowed
// and recognised in lines of their own, since one command may run several
// runners; of those that were recognised in the same lines it takes the one that
// reported the most tests. JUnit XML is no line format and has a function of its
// own.
//
// A reader promises: Failed is never less than the failures that it saw; a
// result that cannot be complete (a TAP plan that was not fulfilled, a run
// without its closing summary, a test that began and never ended) is marked as
// Incomplete, and must not be judged as a pass. Text that a program under test
// prints can imitate any of these formats; that is why the exit code always
// has to agree.
package testout
