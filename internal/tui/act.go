package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// enough is how long a command to a loop may take: where nobody runs the loop
// it is carried out here, and an abort keeps the work on a branch.
const enough = 2 * time.Minute

// sent is the answer to a command.
type sent struct {
	id    string
	kind  engine.CommandKind
	state engine.Outcome
	err   error
	// goOn: the loop stood still for this, and nobody runs it.
	goOn bool
}

// resumed is the answer to a resume.
type resumed struct {
	id  string
	err error
}

// send hands a command to a loop.
func (m *model) send(id string, c engine.Command) tea.Cmd {
	c.By = m.o.By
	l := m.loops[id]
	goOn := c.Kind == engine.Answer && !l.Live && l.State.Status == loop.Waiting
	ctx, e, sends := m.ctx, m.o.Engine, m.sends
	sends.Add(1)
	return func() tea.Msg {
		defer sends.Done()
		ctx, cancel := context.WithTimeout(ctx, enough)
		defer cancel()
		state, err := e.Send(ctx, id, c)
		return sent{id, c.Kind, state, err, goOn}
	}
}

// sent says what came of a command.
func (m *model) sent(a sent) tea.Cmd {
	switch {
	case errors.Is(a.err, engine.ErrEnded):
		m.warn(a.id + " has ended")
	case a.err != nil:
		m.warn(a.id + ": " + a.err.Error())
	case a.goOn && m.o.Resume != nil:
		m.say(a.id + ": answered; going on …")
		return tea.Batch(m.start(a.id), m.hurry())
	case a.goOn:
		m.say(a.id + ": answered. To go on, type in a shell: ralph resume " + a.id)
	default:
		m.say(a.id + done(a.kind, a.state))
	}
	return m.hurry()
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
	case engine.Answer:
		return ": answered"
	case engine.Wake:
		return " tries again"
	}
	return ""
}

// pause asks a loop to stop after its present step.
func (m *model) pause(l engine.Loop) tea.Cmd {
	switch s := l.State; {
	case s.Status.Terminal():
		m.warn(s.ID + " has ended")
	case s.Status == loop.Paused:
		m.warn(s.ID + " is paused already")
	case s.PauseAsked:
		m.warn(s.ID + " pauses after this step already")
	case l.Crashed:
		m.warn(s.ID + " does not run: its process is gone")
	default:
		m.say("pausing " + s.ID + " …")
		return m.send(s.ID, engine.Command{Kind: engine.Pause})
	}
	return nil
}

// resume goes on with a loop that stands still. It takes a process of its own:
// the screen runs none.
func (m *model) resume(l engine.Loop) tea.Cmd {
	id := l.State.ID
	switch why := m.restless(l); {
	case why != "":
		m.warn(id + " " + why)
	case l.Live && l.State.Status == loop.Waiting:
		m.say("waking " + id + " …")
		return m.send(id, engine.Command{Kind: engine.Wake})
	case m.o.Resume == nil:
		m.say("to go on, type in a shell: ralph resume " + id)
	default:
		m.say("resuming " + id + " …")
		return m.start(id)
	}
	return nil
}

// restless says why a loop cannot be resumed; empty: it can.
func (m *model) restless(l engine.Loop) string {
	s := l.State
	driven := s.Mode == loop.AgentDriven
	switch {
	case s.Status.Terminal():
		return "has ended; next: " + m.next(l)
	case s.Open() != nil && s.Status == loop.Waiting:
		return "waits for an answer: A gives it"
	case s.Status == loop.Waiting && (driven || s.Reason == loop.ForLoop):
		return "waits for another loop"
	case driven && s.Status != loop.Paused:
		return "is driven by its agent"
	case l.Live && s.PauseAsked:
		return "pauses after this step; resume it when it has"
	case l.Live && s.Status != loop.Waiting && s.Status != loop.Paused: // a paused one is only just let go
		return "runs already"
	}
	return ""
}

// start begins a process that goes on with the loop.
func (m *model) start(id string) tea.Cmd {
	ctx, begin, sends := m.ctx, m.o.Resume, m.sends
	sends.Add(1)
	return func() tea.Msg {
		defer sends.Done()
		ctx, cancel := context.WithTimeout(ctx, enough)
		defer cancel()
		return resumed{id, begin(ctx, id)}
	}
}

func (m *model) resumed(a resumed) tea.Cmd {
	if a.err != nil {
		m.warn(a.id + ": " + a.err.Error())
	} else if m.loops[a.id].State.Mode == loop.AgentDriven {
		m.say(a.id + " goes on when its agent checks it")
	} else {
		m.say(a.id + " goes on, in a process of its own")
	}
	return m.hurry()
}
