//go:build !linux

package store

import "ralph/internal/journal"

// Uptime is unknown here: the wall clock counts.
func Uptime() journal.Uptime { return journal.Uptime{} }
