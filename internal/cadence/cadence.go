// Package cadence lets the parts of a process that look at something now and then do so at
// the same moments. Each moment wakes the process, which costs more than what the parts
// do: a loop that waits for days was woken three times in five seconds.
package cadence

import "time"

// began is the moment from which all tickers count.
var began = time.Now()

// Ticker delivers at whole multiples of its period since the program began.
type Ticker struct {
	// C delivers one tick; after it, Next asks for another one.
	C     <-chan time.Time
	timer *time.Timer
	every time.Duration
}

// New returns a ticker for a period above zero. Its first tick comes within the period.
// The caller stops it.
func New(every time.Duration) *Ticker {
	timer := time.NewTimer(left(time.Since(began), every))
	return &Ticker{timer.C, timer, every}
}

// Next lets the ticker deliver once more.
func (t *Ticker) Next() { t.timer.Reset(left(time.Since(began), t.every)) }

// Stop ends the ticker.
func (t *Ticker) Stop() { t.timer.Stop() }

// left is the time until the next multiple of a period: never zero, at most the period.
func left(passed, every time.Duration) time.Duration {
	return every - (passed%every+every)%every
}
