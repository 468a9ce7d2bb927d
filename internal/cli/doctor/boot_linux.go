package doctor

import (
	"time"

	"golang.org/x/sys/unix"
)

// bootTime returns when this machine was started, by the clock that says now.
func bootTime(now time.Time) (time.Time, bool) {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts) != nil {
		return time.Time{}, false
	}
	return now.Add(-time.Duration(ts.Nano())), true
}
