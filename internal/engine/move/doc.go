// Package move moves loops and plans that rest between the database of a repository and a
// server that several machines share: the same journal, in two stores (see loop.Move).
//
//	here ▶ there                                  there ▶ here
//	lease here                                    lease there
//	work ▶ remote                                 work ◀ remote
//	here:  move_began                             there: move_began
//	lease there, files ▶ shared folder            lease here, files ◀ shared folder
//	there: the events so far, incomplete          here:  the events so far, incomplete
//	there: moved_away, arrived                    here:  moved_away, arrived
//	here:  moved_away                             there: moved_away
//	trees here are handed back
//
// Loops and plans move in the same steps, which out.go and back.go have in their order; what a
// kind does in a step is in loops.go and plans.go (see kind). The parts of a plan, which are its
// loops and the plans in the places of its tasks, move between its intent and its arrival (see
// Plans).
//
// The events of the store that a loop leaves are all in the one that it goes to, under the
// same numbers, with the same times; only the event "created", with which each journal of
// the database begins, is not on a server.
//
// # Kills
//
// From move_began until arrived neither store continues the loop: the machine refuses every
// other event. So a process may be killed between any two lines: the same command continues
// from what the two records say, and a line that was carried out is not repeated, or changes
// nothing. After arrived the loop is in one store, and moved_away in the other one only
// confirms that; it is copied from there.
//
// A move from here can be taken back with a move to here, as long as the loop has not
// arrived there. It holds the lease here, as every move does, so that no process which was
// only slow completes the move after all.
//
// A run whose server is lost continues here without it (see Abandon), and one whose clone is lost
// on the server (see AbandonClone).
package move
