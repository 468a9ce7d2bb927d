//go:build !linux

package doctor

import "time"

// bootTime is not known here.
func bootTime(time.Time) (time.Time, bool) { return time.Time{}, false }
