// Package text makes lines that can be judged out of what programs print.
//
// Output is hostile by accident: colours, progress bars redrawn with carriage
// returns, lines of a hundred megabytes, bytes that are no UTF-8, streams cut
// in the middle. Lines splits such a stream with bounded memory, Plain turns
// one line into what a person would have read on a terminal, and ErrorLike
// says whether such a line looks like the statement of an error. Nothing here
// knows about tests, coverage or gates.
package text
