package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/view"
)

// commandTimeout is long because the command is executed here if no process runs
// the loop, and an abort keeps the work on a branch.
const commandTimeout = 2 * time.Minute

// sent is the result of a command.
type sent struct {
	id    string
	kind  engine.CommandKind
	state engine.Outcome
	err   error
}

// resumed is the result of a resume.
type resumed struct {
	id  string
	err error
}

// send sends a command to a loop.
func (m *model) send(id string, c engine.Command) tea.Cmd {
	c.By = m.o.By
	ctx, e, sends := m.ctx, m.o.Engine, m.sends
	sends.Add(1)
	return func() tea.Msg {
		defer sends.Done()
		ctx, cancel := context.WithTimeout(ctx, commandTimeout)
		defer cancel()
		state, err := e.Send(ctx, id, c)
		return sent{id, c.Kind, state, err}
	}
}

// sent shows the result of a command.
func (m *model) sent(a sent) tea.Cmd {
	switch {
	case errors.Is(a.err, engine.ErrEnded):
		m.warn(a.id + " has ended")
	case a.err != nil:
		m.warn(a.id + ": " + a.err.Error())
	default:
		m.say(a.id + done(a.kind, a.state))
	}
	return m.lookNow()
}

func done(kind engine.CommandKind, s engine.Outcome) string {
	switch kind {
	case engine.Pause:
		if s.Status == loop.Paused {
			return " is paused"
		}
		return " pauses after this step"
	case engine.Abort:
		if s.KeptOn != "" && s.Status.Terminal() {
			return " is aborted; its work is kept on " + s.KeptOn
		}
		if s.Status.Terminal() {
			return " is aborted"
		}
		return " is being aborted"
	case engine.Steer:
		return ": noted for the next attempt"
	case engine.Wake:
		return " tries again"
	}
	return ""
}

// pause asks a loop to stop after its current step.
func (m *model) pause(s view.Run) tea.Cmd {
	switch {
	case s.Status.Terminal():
		m.warn(s.ID + " has ended")
	case s.Status == loop.Paused:
		m.warn(s.ID + " is paused already")
	case s.PauseAsked:
		m.warn(s.ID + " pauses after this step already")
	case s.Crashed:
		m.warn(s.ID + " does not run: its process is gone")
	default:
		m.say("pausing " + s.ID + " …")
		return m.send(s.ID, engine.Command{Kind: engine.Pause})
	}
	return nil
}

// resume resumes a stopped loop in a process of its own: the screen runs none.
func (m *model) resume(r view.Run) tea.Cmd {
	id := r.ID
	switch why := m.whyNotResume(r); {
	case why != "":
		m.warn(id + " " + why)
	case r.Live && waits(r):
		m.say("waking " + id + " …")
		return m.send(id, engine.Command{Kind: engine.Wake})
	case m.o.Resume == nil:
		m.say("to resume it, type in a shell: " + next.Resume(id))
	default:
		m.say("resuming " + id + " …")
		return m.start(id)
	}
	return nil
}

// whyNotResume returns why a loop cannot be resumed, "" if it can.
func (m *model) whyNotResume(r view.Run) string {
	switch {
	case r.Status.Terminal():
		return "has ended; next: " + r.Row(m.now, m.o.Palette).Next
	case r.Question != nil && waits(r):
		return "waits for an answer: A gives it"
	case r.Status == loop.Waiting && (r.Driven || r.Reason == loop.ForLoop):
		return "waits for another loop"
	case r.Driven && r.Status != loop.Paused:
		return "is driven by its agent"
	case r.Live && r.PauseAsked:
		return "pauses after this step; resume it when it has"
	case r.Live && !waits(r) && r.Status != loop.Paused: // a paused one is only being released
		return "runs already"
	}
	return ""
}

// start starts a process that resumes the loop.
func (m *model) start(id string) tea.Cmd {
	ctx, begin, sends := m.ctx, m.o.Resume, m.sends
	sends.Add(1)
	return func() tea.Msg {
		defer sends.Done()
		ctx, cancel := context.WithTimeout(ctx, commandTimeout)
		defer cancel()
		return resumed{id, begin(ctx, id)}
	}
}

func (m *model) resumed(a resumed) tea.Cmd {
	if a.err != nil {
		m.warn(a.id + ": " + a.err.Error())
	} else if r, _ := m.run(a.id); r.Driven {
		m.say(a.id + " continues when its agent checks it")
	} else if l := m.loops[a.id].State; l.InPlan() {
		m.say(a.id + " continues with its plan")
	} else {
		m.say(a.id + " is resumed in a process of its own")
	}
	return m.lookNow()
}
