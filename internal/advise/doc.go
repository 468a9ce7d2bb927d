// Package advise answers one question: one loop, a few at once, or groups of
// them? It computes the decision framework of seed 001 from what is known here:
// the graph of a plan, the loops that ran in this repository, those that run
// now. It is pure.
//
// Every number of the answer names its source. An unknown one is reported as
// unknown, together with what is assumed instead; it is never 0.
//
//	many loops           one loop
//	─────────────────    ──────────────────────────────────────────────
//	tasks that do not    a chain of tasks (39–70 % worse with many)
//	wait for others      one loop completes more than 45 % of its tasks
//	                     more than 8 tool calls in an attempt
//	                     coordination takes as long as a task
//
// One reason against many loops is enough: the seed lists them as alternatives.
package advise
