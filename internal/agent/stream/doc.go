// Package stream is what the drivers of command-line agents share that print
// one JSON object a line for each thing they do.
//
//	process ── stdout ──▶ whole lines ──▶ Dialect.Line ──┐
//	   ▲   └── stderr ──▶ whole lines ──▶ Dialect.Aside ─┤
//	   │                                                 ▼
//	   └── INT, TERM, KILL ◀── watch ◀── Tally: events, usage, denials, …
//	                                                     │
//	       exit code, signal ──▶ Dialect.End ──▶ settle ─┴─▶ loop.Outcome
//
// A Dialect knows one program's words. Everything that is a decision about any
// of them is here: what counts as success (settle.go), how long silence is
// borne (watch.go), when a run goes in circles (circles.go).
//
// The rules of a dialect: a line that it does not know is no error. It infers
// nothing from what the model says; the program's own fields decide, and where a
// program puts its errors into words only, those of its error events. What it
// does not know it leaves nil.
package stream
