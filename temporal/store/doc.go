// Package store keeps loops and plans on a Temporal server: it is the engine.Store
// of many machines. Each run is an entity (package entity); this package is its
// client, and runs the workers that carry the entities out.
//
// Every open store serves the entities of its server, so that a run can be read and
// written wherever one program has the store open. It also polls a queue of its own,
// on which the server asks whether its leases still have a living owner.
//
// # Unknown outcomes
//
// A request whose answer was lost is repeated until the server answers, or until the
// caller's context ends; the entity recognises it. A commit whose context ends first
// has an unknown outcome: the lease then refuses every further commit, because the
// entity compares the numbers.
//
// # What it does not do
//
// It keeps no budgets of loops, checkpoints, approvals and no record of recoveries, and counts
// no loops against a limit. Lists name a new run up to a second late, when the server
// has indexed it; what they say about a run is as new as Read.
package store
