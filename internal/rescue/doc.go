// Package rescue decides when a loop that its owner left is taken up again, and
// when it is left to a person. It is pure: whoever looks after loops tells it
// what there is, at what time, and does what it says.
//
//	what is seen                        what is to be done
//	its process is gone                 resume, at once
//	… and again, and again              resume, after 30 s, 1 min, 2 min, … at most 30 min
//	… and no attempt was judged since   after 5 tries leave it, and say so
//	it waits for a usage limit          resume, not before the limit is over, or
//	                                    nobody knows of it any more
//	it waits for an answer until a      resume, not before that
//	deadline
//	its process lives, and is stopped   take over, when its sign of life has stood
//	                                    still for 30 s of our own time awake
//	anything else                       nothing
//
// Tries are counted since the loop last got on: a night with seven power cuts is
// no crash loop.
//
// # Time
//
// The wall clock may be set at any moment, and what was recorded was read off
// it. So a time in the records is believed only as far as it can be true (a
// back-off ends after its own length at the latest), and a wait that has begun
// is measured by a clock that only goes forward. Time in which we did not run
// ourselves is not held against an owner: it may not have run either.
//
// # Several at once
//
// Any number may look after the same loops. All of them decide alike; who acts
// first takes the try by comparing what it saw with the record, so a try is one
// of them's.
package rescue
