// Package mcp lets an agent drive its loops through the Model Context Protocol:
// the verbs of `ralph loop` as tools, and the content of a loop as resources.
//
// It translates and decides nothing. A call becomes one call of Tools, whose
// answer has the text, exit code and status of the command line. Every call gets an
// answer: a panic in a tool is one with the exit code of an internal error, and the
// session continues.
//
// Answers are short and complete. Some clients show a model only the structured
// part of an answer and some only its text, so both contain the text.
//
// On the wire, one line is one message. A line that is not a message gets an error
// and is dropped; without that, one stray line would end the session. The end of
// the input ends the server at once, and the checks that it runs (wire.go).
package mcp
