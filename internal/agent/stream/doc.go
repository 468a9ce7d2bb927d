// Package stream is the shared part of the drivers of command-line agents
// that print one JSON object a line for each thing they do.
//
//	process ── stdout ──▶ whole lines ──▶ Dialect.Line ──┐
//	   ▲   └── stderr ──▶ whole lines ──▶ Dialect.Aside ─┤
//	   │                                                 ▼
//	   └── INT, TERM, KILL ◀── watch ◀── Tally: events, usage, denials, …
//	                                                     │
//	       exit code, signal ──▶ Dialect.End ──▶ conclude ─┴─▶ loop.Outcome
//
// A Dialect knows one program's words. All decisions about them are here: the
// conditions of success (conclude.go), how long silence is borne (watch.go),
// when a run goes in circles (circles.go).
//
// The rules of a dialect: a line that it does not know is no error. It infers
// nothing from the model's text; the program's own fields decide, and where a
// program puts its errors into words only, those of its error events. Unknown
// values stay nil.
package stream
