package enginetest

import (
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// Fixture is an engine on a repository of its own.
type Fixture struct {
	Loops engine.Loops
	// Spec is a new loop whose scripted agent plays the scenario (package
	// agent/script). Its only gate passes when the file answer.txt says 3.
	Spec func(t *testing.T, scenario string) loop.Spec
}

// Run holds an engine to the contract. open is called for each test.
func Run(t *testing.T, open func(t *testing.T) Fixture) {
	tests := map[string]func(*testing.T, bench){
		"a run is watched and recorded": watchedAndRecorded,
		"marks agree with the list":     marked,
		"a bad loop is refused":         badLoopRefused,
		"a taken name is refused":       takenNameRefused,
		"one loop too many is refused":  oneTooManyRefused,
		"a prefix finds a loop":         prefixFinds,
		"a pause waits for the step":    pauseWaits,
		"a pause now ends the agent":    pauseNow,
		"stops of a person":             stopsPause,
		"an abort keeps the work":       abortKeeps,
		"an abort at any time ends":     abortAnyTime,
		"steering reaches the prompt":   steeringReaches,
		"a question waits":              questionWaits,
		"a limit waits":                 limitWaits,
		"a budget is raised":            budgetRaised,
		"one owner":                     oneOwner,
		"an ended loop is left alone":   endedLeftAlone,
		"archive":                       archived,
		"accept":                        accepted,
		"going on from a checkpoint":    goesOnFrom,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, bench{t, open(t)})
		})
	}
}

// bench is a fixture with what tests do with it.
type bench struct {
	t *testing.T
	Fixture
}

// Scenarios. Attempts beyond the last play it again.
const (
	passes = `attempts: [[{write: {path: answer.txt, text: "3\n"}}]]`
	second = `attempts: [[{write: {path: answer.txt, text: "1\n"}}], [{write: {path: answer.txt, text: "3\n"}}]]`
	hangs  = `attempts: [[{write: {path: answer.txt, text: "1\n"}}, {say: working}, {hang: true}]]`
	fails  = `attempts: [[{write: {path: answer.txt, text: "1\n"}}]]`
)

// start runs a new loop to where it stops by itself.
func (b bench) start(scenario string, watch func(engine.Update)) loop.State {
	b.t.Helper()
	s, err := b.Loops.Start(b.t.Context(), b.Spec(b.t, scenario), engine.Options{Max: 4}, engine.Drive{Watch: watch})
	if err != nil {
		b.t.Fatalf("start: %v", err)
	}
	return s
}

func (b bench) resume(id string) loop.State {
	b.t.Helper()
	s, err := b.Loops.Resume(b.t.Context(), id, engine.Options{}, engine.Drive{})
	if err != nil {
		b.t.Fatalf("resume: %v", err)
	}
	return s
}

func (b bench) show(id string) engine.Loop {
	b.t.Helper()
	l, err := b.Loops.Show(b.t.Context(), id)
	if err != nil {
		b.t.Fatalf("show: %v", err)
	}
	return l
}

func (b bench) send(id string, k engine.CommandKind, text string) {
	b.t.Helper()
	if _, err := b.Loops.Send(b.t.Context(), id, engine.Command{Kind: k, Text: text, By: "test"}); err != nil {
		b.t.Errorf("send %s: %v", k, err)
	}
}

// after calls do once, when the named event of an attempt has been recorded.
func after(name string, attempt int, do func(loop.State)) func(engine.Update) {
	done := false
	return func(u engine.Update) {
		if u.Event != nil && !done && u.Event.Name() == name && u.After.Iteration == attempt {
			done = true
			do(u.After)
		}
	}
}

// names of the recorded events.
func (b bench) names(id string) []string {
	b.t.Helper()
	records, err := b.Loops.Events(b.t.Context(), id, 0)
	if err != nil {
		b.t.Fatalf("events: %v", err)
	}
	var out []string
	for _, r := range records {
		out = append(out, r.Name)
	}
	return out
}

// is checks where a loop stands.
func (b bench) is(s loop.State, status loop.Status, reason loop.Reason, iteration int) {
	b.t.Helper()
	if s.Status != status || s.Reason != reason || s.Iteration != iteration {
		b.t.Fatalf("the loop is %s/%s at %d (%s), want %s/%s at %d", s.Status, s.Reason, s.Iteration, s.Message, status, reason, iteration)
	}
}
