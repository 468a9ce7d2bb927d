// Package text turns the output of programs into lines that can be judged.
//
// Output is hostile by accident: colours, progress bars redrawn with carriage
// returns, lines of a hundred megabytes, bytes that are no UTF-8, streams cut
// in the middle. Lines splits such a stream with bounded memory, Plain turns
// one line into the text that a terminal would have shown, and ErrorLike
// reports whether such a line looks like the statement of an error. Nothing
// here knows about tests, coverage or gates.
package text
