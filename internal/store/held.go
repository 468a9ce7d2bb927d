package store

import "time"

// heldBy reports whether a process holds a run from an epoch on. The kernel's lock
// decides. Where the lock file is not the one that an owner made, because it was
// deleted while the owner lives, nothing holds the lock that a taker would look at:
// then the recorded owner counts while that very process lives. It never follows from
// the record that a run is free. A process is not in its own way.
func heldBy(lock string, epoch int64, o Owner) (bool, error) {
	is, err := lockedFrom(lock, epoch)
	// A child that a killed owner was just forking keeps a copy of the lock until it
	// executes its program, which a busy machine delays.
	for n := 0; is && err == nil && n < 50 && o.died(); n++ {
		time.Sleep(4 * time.Millisecond)
		is, err = lockedFrom(lock, epoch)
	}
	if is || err != nil || madeByOwner(lock) {
		return is, err
	}
	return o.lives(), nil
}
