package stream

import (
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Dialect understands what one program prints. Its methods are called by one
// goroutine at a time.
type Dialect interface {
	// Line takes a line of the standard output that looks like a JSON object.
	// False says that it does not know it.
	Line(t *Tally, line []byte) bool
	// Aside takes any other line: plain text between the objects, and whatever
	// is written to the standard error.
	Aside(t *Tally, line []byte)
	// End says what the program's own words make of its end, when it is gone.
	End(t *Tally, exit proc.Exit) Verdict
}

// Verdict is what a program's own words, or a limit of ours, say about the end
// of a run. The zero value says nothing.
type Verdict struct {
	End     loop.End
	Message string
	// ResetAt belongs to a limit; zero is unknown.
	ResetAt time.Time
}

// Done: the program gave its final result.
func Done() Verdict { return Verdict{End: loop.EndDone} }

// Failed: this run failed; the next attempt may not.
func Failed(message string) Verdict { return Verdict{End: loop.EndFailed, Message: message} }

// Transient: the same run may work in a while.
func Transient(message string) Verdict { return Verdict{End: loop.EndTransient, Message: message} }

// Permanent: no run will work before a person has done something.
func Permanent(message string) Verdict { return Verdict{End: loop.EndPermanent, Message: message} }

// Limit: the account's quota is spent until resetAt.
func Limit(resetAt time.Time, message string) Verdict {
	return Verdict{End: loop.EndLimit, Message: message, ResetAt: resetAt}
}

// Overflow: the conversation has outgrown the model. A fresh one has not.
func Overflow(detail string) Verdict { return Failed(words("the context window overflowed", detail)) }

// HTTP is the verdict on a provider's answer, by its status; words are the
// program's own. A limit is never told from it: 429 is also what too many
// requests in one minute get.
func HTTP(status int, message string) Verdict {
	switch {
	case status == 429:
		return Transient(words("the provider throttles (429)", message))
	case status == 401, status == 403:
		return Permanent(words("not logged in, or not allowed", message))
	case status == 402:
		return Permanent(words("payment required", message))
	case status == 404:
		return Permanent(words("unknown model or address", message))
	case status == 408, status == 409, status >= 500:
		return Transient(words("the provider fails", message))
	}
	return Failed(words("the provider refused the request", message))
}
