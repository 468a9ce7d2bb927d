package foreground

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"ralph/internal/engine"
)

// Signals counts what a person pressed: once finishes the step and pauses,
// twice ends the agent, three times kills. SIGTERM and a lost terminal end the
// agent at once, and pause.
//
// In the background there is no terminal to lose, and SIGTERM is what a machine
// sends that is shut down: the loop is left as it is, for the process that resumes what
// was left. A paused one would wait for a person.
//
// At a question nothing is under way that could be finished: the first of any
// leaves at once, and the question stays open.
type Signals struct {
	leave  context.CancelCauseFunc
	Forget func()

	mu         sync.Mutex
	interrupts int
	Terminated bool
	// asking ends the prompt, where there is one.
	asking context.CancelCauseFunc
}

// errLeft ends a run whose loop continues elsewhere.
var errLeft = errors.New("the process was asked to end (SIGTERM)")

// errAsked ends a prompt.
var errAsked = errors.New("the question stays open")

func (s *Signals) Any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.interrupts > 0 || s.Terminated
}

// terminated reports whether the program was asked to end, rather than interrupted.
func (s *Signals) terminated() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Terminated
}

// atPrompt is the context of a question: it ends with the first signal.
func (s *Signals) atPrompt(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interrupts > 0 || s.Terminated {
		cancel(errAsked)
	}
	s.asking = cancel
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asking = nil
		cancel(nil)
	}
}

func (a *Runner) Listen(leave context.CancelCauseFunc) (<-chan engine.Stop, *Signals) {
	// A reader of our output that goes away must not take the loop with it.
	signal.Ignore(syscall.SIGPIPE)
	in := make(chan os.Signal, 4)
	signal.Notify(in, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	stops, done := make(chan engine.Stop, 4), make(chan struct{})
	s := &Signals{leave: leave}
	s.Forget = func() { signal.Stop(in); close(done) }
	go func() {
		for {
			select {
			case sig := <-in:
				if stop := s.hear(a, sig); stop > 0 {
					urge(stops, stop)
				}
			case <-done:
				return
			}
		}
	}()
	return stops, s
}

// urge passes on a request to stop. Where none was read yet that the channel still
// holds, the oldest goes: each request is more urgent than the one before.
func urge(stops chan engine.Stop, stop engine.Stop) {
	for {
		select {
		case stops <- stop:
			return
		default:
		}
		select {
		case <-stops:
		default:
		}
	}
}

func (s *Signals) hear(a *Runner, sig os.Signal) engine.Stop {
	if sig != os.Interrupt && a.Handoff.Detached() {
		if sig == syscall.SIGTERM {
			s.leave(errLeft)
		}
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if sig == os.Interrupt {
		s.interrupts++
	} else {
		s.Terminated = true
	}
	switch {
	case s.asking != nil:
		s.asking(errAsked)
		return 0
	case sig == syscall.SIGHUP:
		return engine.HungUp
	case sig != os.Interrupt:
		return engine.EndAgent
	}
	switch {
	case a.TeamAddress != nil: // its worker has the loop: this command only leaves it
		return engine.AfterStep
	case s.interrupts == 1:
		a.Say("\npausing after this step; ctrl-c again ends the agent, a third time kills it")
		return engine.AfterStep
	case s.interrupts == 2:
		a.Say("\nending the agent; its work is kept")
		return engine.EndAgent
	}
	return engine.KillAgent
}
