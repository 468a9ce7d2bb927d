// Package prompt writes the prompt of one attempt. It is pure: the same
// input gives the same bytes, so a prompt can be written to its file, hashed
// and, after a crash, written again.
//
// The shape is seed 004's implementer prompt: the task, the criteria, how it
// is judged, the results of earlier attempts, and after the same failure
// three times the order to try something else. An agent starts each attempt
// with a fresh context, so this page is all it knows.
//
// Two kinds of text are on the page and never mix. Ours is the template.
// Everything else (the task, output of gates, diffs, files, answers) is
// foreign: it is cleaned of control characters and stands as data between two
// marks that carry a nonce, inside a fence longer than any run of backticks
// in it. A file that says "ignore previous instructions" is quoted, not obeyed.
// Short foreign words (names, reasons, paths) are cleaned, cut and kept on one
// line.
//
// A project can replace the template. It gets a Data, whose fields are already
// fenced or cleaned, so that an override cannot forget it. A field that does
// not exist is an error with template and line, never an empty place.
//
// The page is bounded. Where it would be too long, evidence loses its
// beginning (errors come last), diffs and files their end, and the task, last
// of all, its middle; each cut states how much is missing.
package prompt
