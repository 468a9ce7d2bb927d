// Package mcp lets an agent drive its loops through the Model Context Protocol:
// the same verbs as `ralph loop`, as tools, and what a loop holds, as
// resources.
//
// It translates and decides nothing. A call becomes one call of Tools, whose
// answer says in words, in an exit code and in a status what the command line
// would have said. An answer is always given: a mistake in a tool is an answer
// with the exit code of an internal error, and the session goes on.
//
// What an agent reads is short and whole. Some clients show a model only the
// structured part of an answer and some only its text, so both hold the words.
//
// On the wire, one line is one message. A line that is no message is answered
// and forgotten; without that, one stray line would end the session.
// The end of the input ends the server at once, and with it the checks it runs
// (wire.go).
package mcp
