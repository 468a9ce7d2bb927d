package modelserver

import (
	"strconv"
	"time"
)

// Fault is what comes in place of an answer.
type Fault struct {
	// Turn is the turn it comes at, counted from 1; zero is any.
	Turn int
	// Times is how often it comes; zero is for ever.
	Times int

	// Status refuses the request; Kind tells refusals of one status apart.
	Status int
	Kind   Kind
	// ResetAt belongs to a spent quota; zero is not told.
	ResetAt time.Time
	// Header is sent along.
	Header map[string]string

	// Cut ends the stream in its middle. Hang stops sending there, and Mute
	// before anything, until the agent goes away.
	Cut, Hang, Mute bool
}

// Kind is a refusal that has its own words with every provider.
type Kind string

// The kinds of refusal.
const (
	// Throttled is too many requests; the other kinds of status 429 are Spent.
	Throttled Kind = "throttled"
	// Spent is a quota that is used up until a time.
	Spent Kind = "spent"
	// Overflow is a conversation that the model cannot take any more.
	Overflow Kind = "overflow"
)

// Refuse is a status for ever.
func Refuse(status int) Fault { return Fault{Status: status} }

// Throttle tells to come back later: after seconds, or when it is negative
// without saying when.
func Throttle(seconds int) Fault {
	f := Fault{Status: 429, Kind: Throttled}
	if seconds >= 0 {
		f.Header = map[string]string{"retry-after": strconv.Itoa(seconds)}
	}
	return f
}

// Spend is a quota that is spent until at; zero is not told.
func Spend(at time.Time) Fault { return Fault{Status: 429, Kind: Spent, ResetAt: at} }

// TooLong is a conversation that has outgrown the model.
func TooLong() Fault { return Fault{Status: 400, Kind: Overflow} }

// At makes a fault come at one turn, counted from 1.
func (f Fault) At(turn int) Fault { f.Turn = turn; return f }

// Only makes it come so often.
func (f Fault) Only(times int) Fault { f.Times = times; return f }

// due says whether it comes, when it came so often before.
func (f Fault) due(turn, came int) bool {
	return (f.Turn == 0 || f.Turn == turn+1) && (f.Times == 0 || came < f.Times)
}

// words are a provider's for a refusal, as far as they are alike.
func (f Fault) words() string {
	switch {
	case f.Kind == Spent:
		return "The usage limit has been reached"
	case f.Status == 401:
		return "invalid x-api-key"
	case f.Status == 403:
		return "not allowed"
	case f.Status == 404:
		return "model not found"
	case f.Status == 429:
		return "Rate limit reached, please try again later"
	case f.Status == 529:
		return "Overloaded"
	}
	return "Internal server error"
}
