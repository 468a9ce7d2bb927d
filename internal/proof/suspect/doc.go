// Package suspect names the lines of a work for which gates may be green although the task is
// not done: what ends or steers the run of the tests, finds out that it is judged, knows their
// answers, or leaves something out (see Find). Honest code has such lines, too: they refuse
// nothing, and a person is asked.
package suspect
