package agenttest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// lies: without a final result there is no success. A program that has not even
// begun is broken, whatever the prompt.
func lies(t *testing.T, k Subject) {
	for name, tt := range map[string]struct {
		steps []Step
		end   loop.End
	}{
		"nothing at all":     {nil, loop.EndTransient},
		"no final result":    {k.good()[:3], loop.EndFailed},
		"the end in midline": {[]Step{Out(k.Begin...), {Out: k.Done[0][:len(k.Done[0])/2]}}, loop.EndFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			end := tt.end
			if k.Serves != nil {
				end = loop.EndTransient // the connection was cut
			}
			wants(t, k.run(t, k.stage(t, tt.steps...)), end, "")
		})
	}
}

// crashes: the exit of a program counts, whatever it has printed.
func crashes(t *testing.T, k Subject) {
	for name, tt := range map[string]struct {
		steps []Step
		end   loop.End
		word  string
	}{
		"a good result and exit code 3":  {append(k.good(), Exit(3)), loop.EndFailed, "exit code 3"},
		"a good result and a crash":      {append(k.good(), Step{Signal: 11}), loop.EndFailed, "exit code 2"},
		"a good result and killed":       {append(k.good(), Step{Signal: 9}), loop.EndInterrupted, "SIGKILL"},
		"exit code 0 and nothing at all": {nil, loop.EndTransient, "without a final result"},
		"it cannot begin":                {[]Step{{Err: "unknown option --x\n"}, Exit(1)}, loop.EndTransient, "unknown option --x"},
		"it crashes":                     {[]Step{Out(k.Begin...), Out(k.Work...), {Signal: 11}}, loop.EndFailed, "exit code 2"},
		"it is killed":                   {[]Step{Out(k.Begin...), Out(k.Work...), {Signal: 9}}, loop.EndInterrupted, "SIGKILL"},
		"it is asked to end":             {[]Step{Out(k.Begin...), {Signal: 15}}, loop.EndInterrupted, "SIGTERM"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wants(t, k.run(t, k.stage(t, tt.steps...)), tt.end, tt.word)
		})
	}
}

func stays(t *testing.T, k Subject) {
	st := k.stage(t, append(k.good(), Step{Hang: true})...)
	wants(t, k.run(t, st), loop.EndDone, "did not exit")
}

// soon and never are limits of patience with an agent.
const soon, never = 150 * time.Millisecond, time.Hour

func silent(t *testing.T, k Subject) {
	first, later := "in the first", "printed nothing"
	if k.Serves != nil {
		first, later = "sent nothing", "sent nothing"
	}
	for name, tt := range map[string]struct {
		steps    []Step
		patience agent.Patience
		word     string
	}{
		"from the start": {[]Step{{Hang: true}}, agent.Patience{Start: soon, Stall: never}, first},
		"later":          {[]Step{k.in(k.Begin, k.Work, []string{k.say("Well.")}), {Hang: true}}, agent.Patience{Start: never, Stall: soon, Tool: soon}, later},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := k.stage(t, tt.steps...)
			st.Job.Patience = tt.patience
			wants(t, k.run(t, st), loop.EndTransient, tt.word)
		})
	}
}

// stubborn: a program that ignores signals is killed, a silent one gets more
// time while its tool runs, and output after a stop is no success.
func stubborn(t *testing.T, k Subject) {
	t.Run("deaf", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, Out(k.Begin...), Step{Deaf: true})
		st.Job.Patience.Stall = soon
		wants(t, k.run(t, st), loop.EndTransient, "printed nothing")
	})
	t.Run("while a tool runs", func(t *testing.T) {
		t.Parallel()
		if len(k.Running) == 0 {
			t.Skip("its program does not tell when a tool begins")
		}
		st := k.stage(t, k.in(k.Begin, k.Running), Step{Hang: true})
		st.Job.Patience = agent.Patience{Stall: 4 * soon, Tool: 10 * soon}
		wants(t, k.run(t, st), loop.EndTimeout, "ran")
	})
	t.Run("and says that it is done", func(t *testing.T) {
		t.Parallel()
		st := k.play(t, Scene{
			Version: k.Version, Steps: []Step{Out(k.Begin...), {Hang: true}}, Interrupted: []Step{Out(k.Done...), Exit(0)},
		})
		st.Job.Patience.Stall, st.Job.Grace = 4*soon, time.Minute
		wants(t, k.run(t, st), loop.EndTransient, "printed nothing")
		if st.Kinds()[agent.Result] != 1 {
			t.Error("it was not interrupted before anything else")
		}
	})
}

func stopped(t *testing.T, k Subject) {
	t.Run("at its deadline", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, Out(k.Begin...), Step{Hang: true})
		st.Job.Timeout.Hard = 200 * time.Millisecond
		wants(t, k.run(t, st), loop.EndTimeout, "stopped after")
	})
	t.Run("by whoever started it", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, k.in(k.Begin, []string{k.say("Well.")}), Step{Leave: true, Hang: true})
		ctx, cancel := context.WithCancelCause(t.Context())
		enough := errors.New("enough")
		st.Job.OnEvent = func(agent.Event) { cancel(enough) }
		if _, err := k.Driver.Run(ctx, st.Job); !errors.Is(err, enough) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		last := Step{Deaf: true}
		if k.Serves != nil {
			last = Step{Hang: true}
		}
		st := k.stage(t, k.in(k.Begin, []string{k.say("Well.")}), last)
		kill := make(chan struct{})
		st.Job.Kill, st.Job.Grace = kill, time.Hour
		var once sync.Once
		st.Job.OnEvent = func(agent.Event) { once.Do(func() { close(kill) }) }
		out := k.run(t, st)
		if out.End != loop.EndFailed {
			t.Errorf("got %+v", out)
		}
	})
}

func leaves(t *testing.T, k Subject) {
	st := k.stage(t, append([]Step{{Leave: true}}, k.good()...)...)
	if out := k.run(t, st); out.End != loop.EndDone || out.Leftovers != 1 {
		t.Errorf("got %+v", out)
	}
}
