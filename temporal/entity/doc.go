// Package entity is the durable record of one run, a loop or a plan, as a workflow
// of Temporal. It holds the newest state, the newest events, the inbox and the epoch.
// It decides nothing about the run: the state is opaque JSON to it, so that a change
// of the machines in packages loop and plan breaks the replay of no history.
//
//	owner                     entity                       other processes
//	  │ acquire{token,queue} ──▶ epoch+1
//	  │ ◀── hold activity ────── on the owner's own queue
//	  │ heartbeats ────────────▶ (server)
//	  │ commit{epoch,number} ──▶ state, events, taken messages
//	  │                          inbox ◀──────────────────── send{token}
//	  │ query glance ──────────▶ epoch, newest message
//	  │ release{epoch} ────────▶ no owner
//
// # Who may write
//
// Safety is the epoch. It grows by one with each acquisition, and every commit names
// it; the validators refuse an older one before the update becomes part of the
// history. Liveness is the hold activity: it runs in the owner's process, on a queue
// that only this process polls, and does nothing but send heartbeats. When they stop
// for the heartbeat timeout, the run has no living owner. An owner that was only
// slow, and that no other process has replaced, may still commit. Its next look at the
// run starts the hold again; so a restart of the server costs no lease.
//
// # Repeats
//
// Each update can be repeated with the same result, also when the answer to the
// first one was lost: acquire and send carry a token, commit the number that it has
// under its epoch and a digest of its content.
//
// # Size
//
// A payload of 2 MB blocks a workflow: its task fails again and again. The validators
// refuse a state, and a commit's events, above MaxState, and messages above
// MaxMessage, before they become part of the history. The history is cut by
// continue-as-new whenever the server suggests it. The hold cannot be carried over:
// the new execution schedules it again, for the same epoch, and the owner notices
// nothing. Updates name no execution, so one that arrives in between is delivered to
// the new one.
package entity
