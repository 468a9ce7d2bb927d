// Package driver drives one loop under a lease, wherever runs live: it asks the
// machine what to do, lets a worker do it, and records what came of it.
//
// A turn:
//
//	inbox ─▶ Apply         what users asked meanwhile
//	Next  ─▶ an action     from the state alone
//	         AttemptBegan  recorded before an agent starts
//	         Worker        does it, while the inbox, deadlines and stops are
//	                       watched; they may cut it off
//	event ─▶ Apply ─▶ one commit under the lease
//
// The same code runs for a database on this machine and for any other engine that
// grants an engine.LoopLease.
package driver

import (
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/money"
	"ralph/internal/store/limits"
)

// Config is what a Runner works with.
type Config struct {
	Lease  engine.LoopLease
	Worker *worker.Worker
	Drive  engine.Drive
	// Owner is how this process is shown to others.
	Owner string
	Now   func() time.Time
	// Fault is called at every point at which a crash must be survived.
	Fault func(point string)
	// CheckpointEvery is how much work lies between two checkpoints; 0 makes none
	// but at soft deadlines.
	CheckpointEvery time.Duration
	// Limits is the store of usage limits that all loops of the machine share; nil
	// is none. Warn receives its errors.
	Limits *limits.Book
	Warn   func(error)
	// Session is the budget of this process.
	Session money.Session
}
