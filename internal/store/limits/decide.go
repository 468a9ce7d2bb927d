package limits

import (
	"hash/fnv"
	"time"

	"ralph/internal/loop"
)

// The times of the gate.
const (
	// firstTry is the wait after a limit without a reset time, at least; it doubles
	// up to lastTry, as all waits for an account do.
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

// Known is the health of an account whose provider did not serve.
type Known struct {
	// Account is its digest, Label how it is shown: the agent and the kind of
	// login.
	Account string      `json:"account"`
	Label   string      `json:"label"`
	Health  loop.Health `json:"health"`
	// Until is when it is tried again; Told is set if the provider named that time,
	// otherwise it is a guess.
	Until time.Time `json:"until"`
	Told  bool      `json:"told,omitempty"`
	// Misses counts tries in vain in a row without a time that the provider named.
	Misses int `json:"misses,omitempty"`
	// Message is what the agent said, Fix how a person can log in.
	Message string `json:"message,omitempty"`
	Fix     string `json:"fix,omitempty"`
	// By is the loop that was told, At when; Since is when the trouble began.
	By    string    `json:"by,omitempty"`
	At    time.Time `json:"at"`
	Since time.Time `json:"since,omitzero"`
	// First is the loop that tries whether it is over, TurnEnds how long it is
	// waited for.
	First    string    `json:"first,omitempty"`
	TurnEnds time.Time `json:"turn_ends,omitzero"`
}

// Answer is the decision for a loop that wants to start an agent.
type Answer struct {
	// Until is when to ask again; zero: go ahead.
	Until   time.Time
	Health  loop.Health
	Message string
	Fix     string
	Label   string
	// First: the account did not work, and this loop is the first to try again. It
	// reports the result.
	First bool
	// Kept: the provider serves, and the rest of a window is the user's (Book.Spare).
	Kept bool
}

// Reason returns the reason code of a loop that waits because of the answer.
func (a Answer) Reason() loop.Reason {
	if a.Kept {
		return loop.ForKeep
	}
	return a.Health.Reason()
}

// Trouble is what a run met at its provider.
type Trouble struct {
	Health loop.Health
	// Reset is when the provider says to come back; zero is unknown.
	Reset        time.Time
	Message, Fix string
	// First is the wait before the first try where the provider names no time.
	First time.Duration
}

// decide returns the answer for a loop about a known limit. Force is set when a
// user wants it tried now.
func (k Known) decide(loop string, now time.Time, force bool) (Known, Answer) {
	held := Answer{Health: k.Health, Message: k.Message, Fix: k.Fix, Label: k.Label}
	switch {
	case force:
	case now.Before(k.Until):
		held.Until = k.Until.Add(jitter(loop, k.Until, k.Until.Sub(now)))
		return k, held
	case k.First != loop && now.Before(k.TurnEnds):
		held.Until = k.TurnEnds.Add(jitter(loop, k.TurnEnds, k.TurnEnds.Sub(now)))
		held.Message = "loop " + k.First + " tries the account first; " + k.Message
		return k, held
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

// told is the health after a provider has not served. Others that were at work
// tell of the same trouble: that moves no probe forward, and counts no miss.
func (k Known) told(now time.Time, t Trouble, by string) Known {
	fresh := !now.Before(k.Until)
	if k.Since.IsZero() {
		k.Since = now
	}
	if k.First == by {
		k.First, k.TurnEnds = "", time.Time{}
	}
	if (k.Health == loop.NoLogin) != (t.Health == loop.NoLogin) {
		k.Misses = 0 // a login is tried so rarely that its tries count apart
	}
	until, named := t.Reset, t.Reset.After(now) && t.Reset.Sub(now) <= farthest
	switch {
	case named && t.Health == loop.Limited:
		k.Misses = 0
	case fresh:
		// A provider that throttles again and again is asked less and less often,
		// whatever it says.
		guess := now.Add(backOff(t.first(), k.Misses))
		k.Misses++
		if !named || until.Before(guess) {
			until, named = guess, named && t.Health == loop.Limited
		}
	case !named || !until.After(k.Until):
		return k
	}
	k.Health, k.Message, k.Fix, k.By, k.At = t.Health, t.Message, t.Fix, by, now
	k.Until, k.Told = until, named
	return k
}

func (t Trouble) first() time.Duration {
	if t.Health == loop.Limited {
		return max(t.First, firstTry)
	}
	return max(t.First, time.Millisecond)
}

func backOff(first time.Duration, misses int) time.Duration {
	for ; misses > 0 && first < lastTry; misses-- {
		first *= 2
	}
	return min(first, lastTry)
}
