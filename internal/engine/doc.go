// Package engine is what faces talk to and what carries a loop out.
//
// An engine is a memory and a scheduler. The machine (package loop) decides;
// a Worker does one action with the hands (git, proc, gate, agent) and reports
// the event; the engine records the event before it asks for the next action.
// Record, act, record: at every instant the store knows what was about to be
// done, and doing it again is safe.
//
// The local engine (package local) is goroutines and SQLite. What its faces
// see is the Engine interface and the values of package loop.
package engine
