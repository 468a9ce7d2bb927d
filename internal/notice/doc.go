// Package notice decides what a person is notified of, and words it. It is pure.
//
// OfLoop and OfPlan read the state of a run, not its events: a process that reads late, after
// a crash or in the morning, finds the same. Each notice has a key, and a key is told once.
// A notice is about an event (a loop failed), which stays true, or about a condition (a
// question is open), which may have ended before it was delivered: see Kind.Condition.
//
// The text is the project, the task and what happened, then the thing itself, then the
// one command that answers. Text of agents is cut, on one line, and without control
// characters.
package notice
