// Package agent is the contract between ralph and one kind of coding agent.
//
// A Driver starts the agent once, with a fresh context, in one tree, with one
// prompt, and reports what happened: structured events while it runs, one
// loop.Outcome at the end. The rules that every driver keeps:
//
//   - The prompt is a file that becomes the agent's standard input. Nothing
//     secret stands on a command line.
//   - Nothing is inferred from what the model writes. A limit, a denial, a question,
//     a cost is reported only where the program does so itself, in its protocol or in
//     its own message of an error; an agent that writes about limits has met none.
//   - A positive end needs exit code 0 as well as, where the protocol has one,
//     a positive final event. Death by a signal is never positive.
//   - Unknown is nil, never zero.
//   - The agent runs as a supervised child (package proc): nothing it starts
//     survives it. It is asked to end, then told, then ended.
//
// Drivers of real agents are built on package stream and held to one contract
// by package agenttest.
//
// The agent's claim to be done is kept as text. It decides nothing: gates
// do.
package agent
