package stream

import (
	"ralph/internal/agent"
	"ralph/internal/loop"
)

// settle joins what the program said with how its process ended. Success needs
// all three: a positive last word, exit code 0, and that we did not stop it.
// Each of them alone has been seen to lie: a result called success that is an
// API error, exit code 0 after a signal or with no answer at all, a good answer
// and then a crash.
func (t *Tally) settle(run agent.Run, said Verdict) loop.Outcome {
	out := t.outcome(run)
	switch {
	case run.CannotStart:
	case t.stopped != nil:
		judge(&out, *t.stopped)
	case run.TimedOut && t.life.trouble != nil:
		v := *t.life.trouble
		v.Message = out.Message + " while it waited for its provider: " + v.Message
		judge(&out, v)
	case run.TimedOut, run.Stopped:
	case said.End == loop.EndDone && out.End == loop.EndDone:
	case said.End == loop.EndDone:
		out.Message = "it gave a final result, but " + out.Message
	case said.End != "":
		judge(&out, said)
	default:
		judge(&out, t.mute(run, out.Message))
	}
	if t.job.Resume != nil && !t.begun {
		// The session may be gone: the next run begins a new one.
		out.Session = ""
	}
	return out
}

// mute is the verdict on a program that did not say how it ended.
func (t *Tally) mute(run agent.Run, how string) Verdict {
	if run.Code != nil && *run.Code == 0 {
		how = "exit code 0 without a final result"
	}
	if !t.begun {
		// Broken settings of its own, say: nothing that another prompt would mend.
		return Transient(words(how+" before it had begun", t.last))
	}
	return Failed(words(how, t.last))
}

func judge(out *loop.Outcome, v Verdict) {
	out.End, out.Message, out.ResetAt = v.End, clip(plain(v.Message), 1<<10), v.ResetAt
}

// outcome is what process and protocol tell, without a judgement on them.
func (t *Tally) outcome(run agent.Run) loop.Outcome {
	out := run.Outcome(t.job)
	out.Session, out.Model, out.Version = t.out.Session, t.out.Model, t.out.Version
	out.Usage, out.ContextUsed, out.ContextWindow = t.out.Usage, t.out.ContextUsed, t.out.ContextWindow
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
