package limits

import (
	"hash/fnv"
	"time"
)

// The times of the gate.
const (
	// firstTry is the wait after a limit without a reset time; it doubles up to
	// lastTry.
	firstTry = time.Minute
	lastTry  = time.Hour
	// turn is how long the others wait for the loop that goes first: providers
	// refuse within seconds, and a working model reports sooner than that.
	turn = 90 * time.Second
	// farthest reset time that is believed; monthly quotas are the longest.
	farthest = 32 * 24 * time.Hour
	// most of the time that is added for a loop so that not all wake at once.
	mostJitter = time.Minute
)

// Known is a limit of an account.
type Known struct {
	// Account is its digest, Label how it is shown: the agent and the kind of
	// login.
	Account, Label string
	// Until is the reset time; Told is set if the agent reported it, otherwise
	// it is a guess.
	Until time.Time
	Told  bool
	// Misses counts tries in vain in a row without a reset time.
	Misses  int
	Message string
	// By is the loop that was told, At when.
	By string
	At time.Time
	// First is the loop that tries whether it is over, TurnEnds how long it is
	// waited for.
	First    string
	TurnEnds time.Time
}

// Answer is the decision for a loop that wants to start an agent.
type Answer struct {
	// Until is when to ask again; zero: go ahead.
	Until   time.Time
	Message string
	Label   string
	// First: a limit was known, and this loop is the first to try again. It
	// reports the result.
	First bool
}

// decide returns the answer for a loop about a known limit. Force is set when a
// user wants it tried now.
func (k Known) decide(loop string, now time.Time, force bool) (Known, Answer) {
	switch {
	case force:
	case now.Before(k.Until):
		return k, Answer{Until: k.Until.Add(jitter(loop, k.Until, k.Until.Sub(now))), Message: k.Message, Label: k.Label}
	case k.First != loop && now.Before(k.TurnEnds):
		return k, Answer{
			Until:   k.TurnEnds.Add(jitter(loop, k.TurnEnds, k.TurnEnds.Sub(now))),
			Message: "loop " + k.First + " tries first whether the limit is over", Label: k.Label,
		}
	}
	k.First, k.TurnEnds = loop, now.Add(turn)
	return k, Answer{First: true, Label: k.Label}
}

// jitter spreads the loops that wait for the same moment, by up to a tenth of
// their wait. It is the same each time a loop asks.
func jitter(loop string, until time.Time, wait time.Duration) time.Duration {
	most := min(wait/10, mostJitter)
	if most <= 0 {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(loop + until.String()))
	return time.Duration(h.Sum64() % uint64(most))
}

// told is the limit after a provider has refused.
func (k Known) told(now, reset time.Time, message, by string) Known {
	fresh := !now.Before(k.Until) // others that were at work tell of the same
	k.Message, k.By, k.At = message, by, now
	if k.First == by {
		k.First, k.TurnEnds = "", time.Time{}
	}
	switch {
	case reset.After(now) && reset.Sub(now) <= farthest:
		k.Until, k.Told, k.Misses = reset, true, 0
	case fresh:
		k.Until, k.Told = now.Add(backOff(k.Misses)), false
		k.Misses++
	}
	return k
}

func backOff(misses int) time.Duration {
	d := firstTry
	for ; misses > 0 && d < lastTry; misses-- {
		d *= 2
	}
	return min(d, lastTry)
}
