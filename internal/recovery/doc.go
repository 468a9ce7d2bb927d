// Package recovery decides when a run (a loop or a plan) whose process died is
// resumed, and when it is left to the user. It is pure: a supervisor reports the
// runs that it found and the time, and carries out the actions it gets back.
//
//	situation                           action
//	the process is gone                 resume, at once
//	… again and again                   resume, after 30 s, 1 min, 2 min, … at most 30 min
//	… without progress in between       after 5 tries leave it to the user, and report that
//	it waits for a usage limit          resume, but not before the limit resets or is lifted
//	it waits for an answer until a      resume, but not before the deadline
//	deadline
//	the process lives but is stopped    take over, once its heartbeat has stood still for
//	                                    30 s of the supervisor's own awake time
//	anything else                       nothing
//
// Tries are counted since the run last made progress, so a night with seven power
// cuts is not a crash loop. Progress is an attempt with a verdict; of a plan also a
// landing, a review or a proof. The resume itself is not progress.
//
// What belongs to a plan is left to that plan while the plan runs, is under recovery
// or is to pause. Where the heartbeats of both stand still, one process ran both:
// the plan is taken over, with everything in it.
//
// # Time
//
// The wall clock may be set at any moment, and recorded times were read off it.
// Such a time is believed only as far as it can be true (a back-off ends after its
// own length at the latest), and a wait that has begun is measured by a monotonic
// clock. Time in which the supervisor itself did not run is not held against an
// owner, which may not have run either.
//
// # Several supervisors
//
// Any number of supervisors may watch the same runs. All decide alike; the first
// to act claims the try by comparing the record that it saw with the stored one,
// in the store's transaction. So each try belongs to one supervisor.
package recovery
