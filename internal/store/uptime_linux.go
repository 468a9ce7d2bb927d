package store

import (
	"time"

	"golang.org/x/sys/unix"

	"ralph/internal/journal"
)

// Uptime returns how long the machine has been awake since its boot: it is the same
// for all processes, stands still while the machine sleeps, and no user sets it.
func Uptime() journal.Uptime {
	var ts unix.Timespec
	boot, _, _ := processIdentity()
	if boot == "" || unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return journal.Uptime{}
	}
	return journal.Uptime{Boot: boot, Up: time.Duration(ts.Nano())}
}
