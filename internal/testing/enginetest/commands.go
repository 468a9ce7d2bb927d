package enginetest

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func pauseWaits(t *testing.T, b bench) {
	s := b.start(second, after("attempt_began", 1, func(s loop.State) { b.send(s.ID, engine.Pause, "") }))
	b.is(s, loop.Paused, "", 1)
	if b.has(s.ID, "interrupted") && s.Step == loop.StepAgent || !b.has(s.ID, "agent_ended") {
		t.Errorf("the agent was not left to end: %v", b.names(s.ID))
	}
	if l := b.show(s.ID); l.Live || l.Crashed {
		t.Errorf("a paused loop is shown as %+v", l.Facts)
	}
	s = b.resume(s.ID)
	b.is(s, loop.StatusPassed, loop.Green, 2)
}

func pauseNow(t *testing.T, b bench) {
	s := b.start(hangs, after("attempt_began", 1, func(s loop.State) { b.send(s.ID, engine.PauseNow, "") }))
	b.is(s, loop.Paused, "", 1)
	if !b.has(s.ID, "interrupted") || s.Last().Verdict != "" || s.Last().Crashes != 0 {
		t.Errorf("%v, %+v", b.names(s.ID), s.Last())
	}
}

func stopsPause(t *testing.T, b bench) {
	for _, stop := range []engine.Stop{engine.AfterStep, engine.EndAgent, engine.KillAgent} {
		scenario := hangs
		if stop == engine.AfterStep {
			scenario = second
		}
		stops := make(chan engine.Stop, 1)
		s, err := b.Loops.Start(t.Context(), b.Spec(t, scenario), engine.Options{}, engine.Drive{
			Stops: stops, Watch: after("attempt_began", 1, func(loop.State) { stops <- stop }),
		})
		if err != nil {
			t.Fatalf("stop %d: %v", stop, err)
		}
		b.is(s, loop.Paused, "", 1)
	}
}

func abortKeeps(t *testing.T, b bench) {
	s := b.start(hangs, after("attempt_began", 1, func(s loop.State) { b.send(s.ID, engine.Abort, "not like this") }))
	b.is(s, loop.Aborted, loop.Manual, 1)
	if s.Message != "not like this" {
		t.Errorf("message %q", s.Message)
	}
	// The first attempt's work counts too, and a paused loop is closed at once.
	s = b.start(second, after("attempt_began", 2, func(s loop.State) { b.send(s.ID, engine.Pause, "") }))
	b.is(s, loop.Paused, "", 2)
	s, err := b.Loops.Send(t.Context(), s.ID, engine.Command{Kind: engine.Abort})
	if err != nil {
		t.Fatal(err)
	}
	b.is(s, loop.Aborted, loop.Manual, 2)
	if !strings.HasPrefix(s.FailureRef, "wip/ralph-fail-") || !b.has(s.ID, "kept") {
		t.Errorf("failure branch %q", s.FailureRef)
	}
}

// abortAnyTime: an abort may come while the step under way ends the loop.
func abortAnyTime(t *testing.T, b bench) {
	for range 6 {
		spec := b.Spec(t, passes)
		sent := make(chan error, 1)
		delay := time.Duration(rand.IntN(30)) * time.Millisecond
		s, err := b.Loops.Start(t.Context(), spec, engine.Options{}, engine.Drive{
			Watch: after("committed", 1, func(s loop.State) {
				go func() {
					time.Sleep(delay)
					_, err := b.Loops.Send(t.Context(), s.ID, engine.Command{Kind: engine.Abort})
					sent <- err
				}()
			}),
		})
		if err != nil || !s.Status.Terminal() {
			t.Errorf("after %s: %s, %v", delay, s.Status, err)
		}
		if err := <-sent; err != nil && !errors.Is(err, engine.ErrEnded) {
			t.Errorf("send after %s: %v", delay, err)
		}
	}
}

func (b bench) prompt(s loop.State, attempt int) string {
	b.t.Helper()
	f, err := engine.Open(engine.Layout{Dir: b.show(s.ID).Dir}.Prompt(attempt), 0)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func steeringReaches(t *testing.T, b bench) {
	const words = "Three is the answer, I am sure."
	s := b.start(second, after("attempt_began", 1, func(s loop.State) { b.send(s.ID, engine.Steer, words) }))
	b.is(s, loop.StatusPassed, loop.Green, 2)
	if strings.Contains(b.prompt(s, 1), words) || !strings.Contains(b.prompt(s, 2), words) {
		t.Errorf("it stands in the first prompt, or not in the second:\n%s", b.prompt(s, 2))
	}
}

func questionWaits(t *testing.T, b bench) {
	s := b.start(`attempts: [[{ask: {text: "Two or three?"}}, {write: {path: answer.txt, text: "3\n"}}]]`, nil)
	b.is(s, loop.Waiting, loop.ForHuman, 1)
	if l := b.show(s.ID); l.Live || l.Crashed {
		t.Errorf("a loop that waits for a person is shown as %+v", l.Facts)
	}
	if _, err := b.Loops.Send(t.Context(), s.ID, engine.Command{Kind: engine.Wake}); err == nil {
		t.Error("a person was not waited for")
	}
	b.send(s.ID, engine.Answer, "Three, please.")
	s = b.resume(s.ID)
	b.is(s, loop.StatusPassed, loop.Green, 1)
	if !strings.Contains(b.prompt(s, 1), "Three, please.") {
		t.Error("the answer is not in the prompt")
	}
}

func limitWaits(t *testing.T, b bench) {
	stops := make(chan engine.Stop, 1)
	s, err := b.Loops.Start(t.Context(), b.Spec(t, `attempts: [[{limit: {reset: 1h, text: spent}}, {write: {path: answer.txt, text: "3\n"}}]]`),
		engine.Options{}, engine.Drive{Stops: stops, Watch: func(u engine.Update) {
			if u.After.Status == loop.Waiting && u.Event != nil {
				stops <- engine.AfterStep
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Status != loop.Paused || s.Iteration != 1 || time.Until(s.Wake) < 30*time.Minute {
		t.Fatalf("%s until %s", s.Status, s.Wake)
	}
	s, err = b.Loops.Resume(t.Context(), s.ID, engine.Options{Now: true}, engine.Drive{})
	if err != nil {
		t.Fatal(err)
	}
	b.is(s, loop.StatusPassed, loop.Green, 1)
}
