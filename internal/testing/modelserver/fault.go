package modelserver

import (
	"strconv"
	"time"
)

// Fault replaces an answer.
type Fault struct {
	// Turn is the turn that it replaces, counted from 1; zero is any.
	Turn int
	// Times is how often it occurs; zero is always.
	Times int
	// Until is when it ends; zero is never.
	Until time.Time

	// Status is the HTTP status of the refusal; Kind distinguishes refusals of
	// one status.
	Status int
	Kind   Kind
	// ResetAt is when a quota resets; zero is not reported.
	ResetAt time.Time
	// Header is added to the response.
	Header map[string]string

	// Cut ends the stream in its middle, Hang stops sending there, and Mute
	// sends nothing, until the agent disconnects.
	Cut, Hang, Mute bool
}

// Kind is a refusal that every provider words in its own way.
type Kind string

// The kinds of refusal.
const (
	// Throttled is too many requests; the other kinds of status 429 are Spent.
	Throttled Kind = "throttled"
	// Spent is a quota that is used up until a time.
	Spent Kind = "spent"
	// Overflow is a conversation that is too long for the model.
	Overflow Kind = "overflow"
)

// Refuse returns a status for every request.
func Refuse(status int) Fault { return Fault{Status: status} }

// Throttle asks the client to retry after that many seconds; a negative number
// gives no time.
func Throttle(seconds int) Fault {
	f := Fault{Status: 429, Kind: Throttled}
	if seconds >= 0 {
		f.Header = map[string]string{"retry-after": strconv.Itoa(seconds)}
	}
	return f
}

// Spend is a used-up quota that resets at that time; zero is not reported.
func Spend(at time.Time) Fault { return Fault{Status: 429, Kind: Spent, ResetAt: at} }

// TooLong is a conversation that is too long for the model.
func TooLong() Fault { return Fault{Status: 400, Kind: Overflow} }

// At limits a fault to one turn, counted from 1.
func (f Fault) At(turn int) Fault { f.Turn = turn; return f }

// Only limits how often a fault occurs.
func (f Fault) Only(times int) Fault { f.Times = times; return f }

// Before limits a fault to the time before an instant.
func (f Fault) Before(end time.Time) Fault { f.Until = end; return f }

// due reports whether the fault occurs, after it occurred came times.
func (f Fault) due(turn, came int) bool {
	return (f.Until.IsZero() || time.Now().Before(f.Until)) && (f.Turn == 0 || f.Turn == turn+1) && (f.Times == 0 || came < f.Times)
}

// words returns the provider's message for a refusal, as far as providers
// agree.
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
