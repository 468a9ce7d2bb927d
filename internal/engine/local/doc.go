// Package local is the engine of one machine: goroutines, child processes and
// the store. A loop is driven by whoever holds its lease, in this process;
// other processes reach it through its inbox.
//
// A turn:
//
//	inbox ─▶ Apply         what people asked meanwhile
//	Next  ─▶ an action     from the state alone
//	         AttemptBegan  recorded before an agent starts
//	         Worker        does it, while the inbox, deadlines and stops are
//	                       watched; they may cut it off
//	event ─▶ Apply ─▶ one transaction of the store
//
// After a crash the new owner first ends what the old one left running, then
// records Interrupted and takes the same turn again. An owner whose epoch is
// over gets ErrFenced from the store, ends its own children and writes nothing
// more.
package local
