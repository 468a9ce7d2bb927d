package view

import (
	"fmt"
	"time"

	"ralph/internal/recovery"
	"ralph/internal/text"
)

// RecoveryObject records the restarts of a crashed run since it last made progress.
type RecoveryObject struct {
	// Tries counts how often it was resumed; Left: it is not tried again.
	Tries  int        `json:"tries"`
	LastAt *time.Time `json:"last_at"`
	// NextAt: no other try comes before.
	NextAt *time.Time `json:"next_at"`
	Left   bool       `json:"left"`
	// Why the last try did not help, as far as known.
	Why string `json:"why"`
}

func recoveryObject(r recovery.Restarts) *RecoveryObject {
	if r == (recovery.Restarts{}) {
		return nil
	}
	o := &RecoveryObject{Tries: r.Tries, LastAt: timeOrNull(r.Last), Left: r.Left, Why: r.Why}
	if !r.Left {
		o.NextAt = timeOrNull(r.Next)
	}
	return o
}

// Recovered describes what supervisors did, in one line.
func Recovered(r recovery.Restarts, now time.Time) string {
	words := ""
	switch {
	case r.Left:
		words = fmt.Sprintf("resumed %s and crashed each time; left for you", often(r.Tries))
	case r.Tries > 0 && r.Next.After(now):
		words = fmt.Sprintf("resumed %s; the next try is not before %s", often(r.Tries), text.Clock(r.Next, now))
	case r.Tries > 0:
		words = fmt.Sprintf("resumed %s", often(r.Tries))
	default:
		return text.Line(r.Why)
	}
	return words + because(r.Why)
}

func often(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
