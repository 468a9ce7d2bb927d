// Package plan is the graph of tasks that a plan file describes: which task
// waits for which, how many can run at once, and how long the longest chain of
// them is.
//
//	Plan ── Graph() ──▶ levels    what could run in the first turn, the second, …
//	  │                 longest   a chain that nothing can shorten
//	  └─ Open() drops   cover     the fewest chains that hold every task
//	     what is done   widest    tasks of which none waits for another
//	                    turns     how long k loops need, one task a turn each
//
// The package is pure: it reads no file and knows no clock. Validate reports each
// mistake of a plan with its line.
package plan
