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

func lies(t *testing.T, k Kit) {
	for name, tt := range map[string]struct {
		steps []Step
		end   loop.End
		word  string
	}{
		"a good result and exit code 3":   {append(k.good(), Exit(3)), loop.EndFailed, "exit code 3"},
		"a good result and a crash":       {append(k.good(), Step{Signal: 9}), loop.EndFailed, "SIGKILL"},
		"exit code 0 and nothing at all":  {nil, loop.EndFailed, "without a final result"},
		"exit code 0 and no final result": {k.good()[:3], loop.EndFailed, ""},
		"exit code 0 in mid-line":         {[]Step{Out(k.Begin...), {Out: k.Done[0][:len(k.Done[0])/2]}}, loop.EndFailed, ""},
		"it cannot begin":                 {[]Step{{Err: "unknown option --x\n"}, Exit(1)}, loop.EndTransient, "unknown option --x"},
		"it crashes":                      {[]Step{Out(k.Begin...), Out(k.Work...), {Signal: 9}}, loop.EndFailed, "SIGKILL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wants(t, k.run(t, k.stage(t, tt.steps...)), tt.end, tt.word)
		})
	}
}

func stays(t *testing.T, k Kit) {
	st := k.stage(t, append(k.good(), Step{Hang: true})...)
	wants(t, k.run(t, st), loop.EndDone, "did not exit")
}

func silent(t *testing.T, k Kit) {
	soon, never := 150*time.Millisecond, time.Hour
	for name, tt := range map[string]struct {
		steps    []Step
		patience agent.Patience
		end      loop.End
		word     string
	}{
		"from the start": {[]Step{{Hang: true}}, agent.Patience{Start: soon, Stall: never}, loop.EndTransient, "in the first"},
		"later":          {[]Step{k.in(k.Begin, k.Work), {Hang: true}}, agent.Patience{Stall: soon, Tool: soon}, loop.EndTransient, "printed nothing"},
		"deaf":           {[]Step{Out(k.Begin...), {Deaf: true}}, agent.Patience{Stall: soon}, loop.EndTransient, "printed nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := k.stage(t, tt.steps...)
			st.Job.Patience = tt.patience
			wants(t, k.run(t, st), tt.end, tt.word)
		})
	}
	t.Run("while a tool runs", func(t *testing.T) {
		t.Parallel()
		if len(k.Running) == 0 {
			t.Skip("its program does not tell when a tool begins")
		}
		st := k.stage(t, k.in(k.Begin, k.Running), Step{Hang: true})
		st.Job.Patience = agent.Patience{Stall: soon / 3, Tool: soon}
		wants(t, k.run(t, st), loop.EndTimeout, "ran")
	})
}

func stopped(t *testing.T, k Kit) {
	t.Run("at its deadline", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, Out(k.Begin...), Step{Hang: true})
		st.Job.Timeout.Hard = 200 * time.Millisecond
		wants(t, k.run(t, st), loop.EndTimeout, "stopped after")
	})
	t.Run("and says that it is done", func(t *testing.T) {
		t.Parallel()
		st := k.play(t, Scene{
			Version: k.Version, Steps: []Step{Out(k.Begin...), {Hang: true}}, Interrupted: []Step{Out(k.Done...), Exit(0)},
		})
		st.Job.Patience.Stall = 150 * time.Millisecond
		wants(t, k.run(t, st), loop.EndTransient, "printed nothing")
		if st.Kinds()[agent.Result] != 1 {
			t.Error("it was not interrupted before anything else")
		}
	})
	t.Run("by whoever started it", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, Out(k.Begin...), Step{Leave: true, Hang: true})
		ctx, cancel := context.WithCancelCause(t.Context())
		enough := errors.New("enough")
		st.Job.OnEvent = func(agent.Event) { cancel(enough) }
		if _, err := k.Driver.Run(ctx, st.Job); !errors.Is(err, enough) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, Out(k.Begin...), Step{Deaf: true})
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

func leaves(t *testing.T, k Kit) {
	st := k.stage(t, append([]Step{{Leave: true}}, k.good()...)...)
	if out := k.run(t, st); out.End != loop.EndDone || out.Leftovers != 1 {
		t.Errorf("got %+v", out)
	}
}
