package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"ralph/internal/engine"
)

// signals counts what a person pressed: once finishes the step and pauses,
// twice ends the agent, three times kills. SIGTERM and a lost terminal end the
// agent at once, and pause.
//
// In the background there is no terminal to lose, and SIGTERM is what a machine
// sends that is shut down: the loop is left as it is, for whoever takes up what
// was left. A paused one would wait for a person.
type signals struct {
	interrupts int
	terminated bool
	leave      context.CancelCauseFunc
	forget     func()
}

// errLeft ends a run whose loop is to go on elsewhere.
var errLeft = errors.New("the process was asked to end (SIGTERM)")

func (s *signals) any() bool { return s.interrupts > 0 || s.terminated }

func (a *app) listen(leave context.CancelCauseFunc) (<-chan engine.Stop, *signals) {
	// A reader of our output that goes away must not take the loop with it.
	signal.Ignore(syscall.SIGPIPE)
	in := make(chan os.Signal, 4)
	signal.Notify(in, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	stops, done := make(chan engine.Stop, 4), make(chan struct{})
	s := &signals{leave: leave}
	s.forget = func() { signal.Stop(in); close(done) }
	go func() {
		for {
			select {
			case sig := <-in:
				if stop := s.hear(a, sig); stop > 0 {
					stops <- stop
				}
			case <-done:
				return
			}
		}
	}()
	return stops, s
}

func (s *signals) hear(a *app, sig os.Signal) engine.Stop {
	if sig != os.Interrupt && a.leash.Free() {
		if sig == syscall.SIGTERM {
			s.leave(errLeft)
		}
		return 0
	}
	if sig != os.Interrupt {
		s.terminated = true
		return engine.EndAgent
	}
	s.interrupts++
	switch s.interrupts {
	case 1:
		a.say("\npausing after this step; ctrl-c again ends the agent, a third time kills it")
		return engine.AfterStep
	case 2:
		a.say("\nending the agent; its work is kept")
		return engine.EndAgent
	}
	return engine.KillAgent
}
