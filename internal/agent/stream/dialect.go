package stream

import (
	"time"

	"ralph/internal/agent"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Dialect understands the output of one program. Its methods are called by one
// goroutine at a time.
type Dialect interface {
	// Line takes a line of the standard output that looks like a JSON object. It
	// returns false for an unknown one.
	Line(t *Tally, line []byte) bool
	// Aside takes any other line: plain text between the objects, and the
	// standard error.
	Aside(t *Tally, line []byte)
	// End returns the program's own verdict on its end, once it is gone.
	End(t *Tally, exit proc.Exit) Verdict
}

// Verdict is the end of a run by the program's own output, or by a limit of
// ralph's. The zero value is unknown.
type Verdict struct {
	End     loop.End
	Message string
	// Provider is why the provider did not serve; ResetAt when it says to come back,
	// zero is unknown.
	Provider loop.Health
	ResetAt  time.Time
}

// Done: the program gave its final result.
func Done() Verdict { return Verdict{End: loop.EndDone} }

// Failed: this run failed; the next attempt may not.
func Failed(message string) Verdict { return Verdict{End: loop.EndFailed, Message: message} }

// Transient: the same run may work in a while.
func Transient(message string) Verdict { return Verdict{End: loop.EndTransient, Message: message} }

// Permanent: no run will work before the user has done something.
func Permanent(message string) Verdict { return Verdict{End: loop.EndPermanent, Message: message} }

// Limit: the account's quota is spent until resetAt.
func Limit(resetAt time.Time, message string) Verdict {
	return Verdict{End: loop.EndLimit, Message: message, Provider: loop.Limited, ResetAt: resetAt}
}

// Throttled: the provider takes no more requests until resetAt; zero is unknown.
func Throttled(resetAt time.Time, message string) Verdict {
	return Verdict{End: loop.EndTransient, Message: message, Provider: loop.Throttled, ResetAt: resetAt}
}

// Down: the provider fails, or does not answer.
func Down(message string) Verdict {
	return Verdict{End: loop.EndTransient, Message: message, Provider: loop.Down}
}

// NoLogin: the provider refuses the account. Only a person can fix that.
func NoLogin(message string) Verdict {
	return Verdict{End: loop.EndPermanent, Message: message, Provider: loop.NoLogin}
}

// Overflow: the conversation exceeds the model's context. A fresh one does not.
func Overflow(detail string) Verdict { return Failed(words("the context window overflowed", detail)) }

// HTTP is the verdict on a provider's status; message is the program's own text.
// A limit is never derived from it: 429 is also the status for too many requests
// in one minute.
func HTTP(status int, message string) Verdict {
	switch {
	case status == 429:
		return Throttled(time.Time{}, words("the provider throttles (429)", message))
	case status == 529:
		return Throttled(time.Time{}, words("the provider is overloaded (529)", message))
	case status == 401, status == 403:
		return NoLogin(words("not logged in, or not allowed", message))
	case status == 402:
		return Permanent(words("payment required", message))
	case status == 404:
		return Permanent(words("unknown model or address", message))
	case status == 408, status == 409, status >= 500:
		return Down(words("the provider fails", message))
	}
	return Failed(words("the provider refused the request", message))
}

// tooLong is how providers refuse a conversation that outgrew their model.
var tooLong = lazyregexp.New(`(?i)context[ _]length|context window|prompt is too long|range of input length|token count exceeds`)

// Refused is HTTP for a program that passes on a provider's words only, not its
// code: they tell that the conversation is too long.
func Refused(status int, words string) Verdict {
	if (status == 400 || status == 413) && tooLong.MatchString(words) {
		return Overflow(words)
	}
	return HTTP(status, words)
}

// conclude combines the program's own verdict with the end of its process. Success
// needs all three: a positive final event, exit code 0, and no stop by ralph.
// Each alone has been wrong: a result called success that is an API error, exit
// code 0 after a signal or without any answer, a good answer and then a crash.
func (t *Tally) conclude(run agent.Run, said Verdict) loop.Outcome {
	out := t.outcome(run)
	switch {
	case out.End == loop.EndInterrupted && t.stopped == nil && (said.End == "" || said.End == loop.EndDone || said.End == loop.EndFailed):
	case run.CannotStart:
	case t.stopped != nil:
		setEnd(&out, *t.stopped, t.job.Time())
	case run.TimedOut && t.life.trouble != nil:
		v := *t.life.trouble
		v.Message = out.Message + " while it waited for its provider: " + v.Message
		setEnd(&out, v, t.job.Time())
	case run.TimedOut, run.Stopped:
	case said.End == loop.EndDone && out.End == loop.EndDone:
	case said.End == loop.EndDone:
		out.Message = "it gave a final result, but " + out.Message
	case said.End != "":
		setEnd(&out, said, t.job.Time())
	default:
		setEnd(&out, t.mute(run, out.Message), t.job.Time())
	}
	if t.job.Resume != nil && !t.begun {
		// The session may be gone: the next run begins a new one.
		out.Session = ""
	}
	return out
}

// mute is the verdict on a program that did not report how it ended.
func (t *Tally) mute(run agent.Run, how string) Verdict {
	if run.Code != nil && *run.Code == 0 {
		how = "exit code 0 without a final result"
	}
	if !t.begun {
		// Broken settings of its own, for instance: another prompt would not fix
		// them.
		return Transient(words(how+" before it had begun", t.last))
	}
	return Failed(words(how, t.last))
}

func setEnd(out *loop.Outcome, v Verdict, now time.Time) {
	v = v.withReset(now)
	out.End, out.Message, out.ResetAt, out.Provider = v.End, clip(plain(unwrap(v.Message)), 1<<10), v.ResetAt, v.Provider
}

// outcome returns the facts of process and protocol, without a judgement.
func (t *Tally) outcome(run agent.Run) loop.Outcome {
	out := run.Outcome(t.job)
	out.Session, out.Model, out.Version = t.out.Session, t.out.Model, t.out.Version
	out.Usage, out.ContextUsed, out.ContextWindow = t.out.Usage, t.out.ContextUsed, t.out.ContextWindow
	out.Windows = t.out.Windows
	out.Denials, out.Words, out.UnknownLines = t.out.Denials, t.out.Words, t.out.UnknownLines
	if t.begun {
		out.Usage.ToolCalls = new(t.tools.calls)
	}
	if t.turns > 0 {
		out.Usage.Turns = new(int64(t.turns))
	}
	if out.Permissions = t.job.Agent.Permissions; out.Permissions == "" {
		out.Permissions = loop.PermissionsDefault
	}
	return out
}
