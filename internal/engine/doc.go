// Package engine is the API that front ends use for runs, and what an engine needs
// of the place where they live (Store).
//
// Runs is one set of verbs, for loops and for plans: start, resume, send, find,
// show, list, events, accept, archive. An engine is storage and a scheduler behind
// it: it keeps runs and decides which process drives one. Package local has the
// loops of this machine, planner runs plans on any store.
//
// The machine (package loop) decides; a worker (package worker) does one action through
// the adapters (git, proc, gate, agent, review) and returns the event; the engine
// records the event before it asks for the next action. Record, act, record: at
// every instant the store knows the action in progress, and repeating it is
// safe.
package engine
