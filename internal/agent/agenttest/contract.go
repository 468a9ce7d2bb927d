package agenttest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Kit is one driver and the words of its program's protocol.
type Kit struct {
	Driver agent.Native
	// Version is what the program answers to --version, or says itself.
	Version string
	// Begin are its first lines, Done its last, with the words "All done.".
	Begin, Done []string
	// Work is something done and over: a call of a tool.
	Work []string
	// Say is the model speaking; words are quoted already.
	Say func(words string) string
	// Running is a tool that has begun and not ended; empty where the program
	// does not tell.
	Running []string
	// Trouble is what it prints when it tries its provider again; Provider a
	// word of it. Muttered is the same on the standard error.
	Trouble, Muttered []string
	Provider          string
	// Chosen: the session's id is ours.
	Chosen bool
}

// Contract holds a driver to what every driver promises.
func Contract(t *testing.T, k Kit) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake programs need signals")
	}
	for name, test := range map[string]func(*testing.T, Kit){
		"it works":               works,
		"settings reach it":      settings,
		"permissions":            permissions,
		"sessions":               sessions,
		"it is not installed":    missing,
		"success needs all":      lies,
		"it stays":               stays,
		"it is silent":           silent,
		"it is stopped":          stopped,
		"it leaves others":       leaves,
		"it goes in circles":     circles,
		"it prints anything":     noise,
		"words decide nothing":   prose,
		"its provider is away":   trouble,
		"a session that is lost": lost,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, k)
		})
	}
}

// good is a whole good run.
func (k Kit) good() []Step {
	return []Step{Out(k.Begin...), Out(k.say("I will work.")), Out(k.Work...), Out(k.Done...)}
}

// in prints them all at once, so that no time passes between.
func (Kit) in(all ...[]string) Step { return Out(slices.Concat(all...)...) }

func (k Kit) say(words string) string {
	quoted, _ := json.Marshal(words)
	return k.Say(string(quoted))
}

func (k Kit) stage(t *testing.T, steps ...Step) *Stage {
	t.Helper()
	return NewStage(t, k.Driver.Program(), Scene{Version: k.Version, Steps: steps})
}

func (k Kit) run(t *testing.T, st *Stage) loop.Outcome {
	t.Helper()
	out, err := k.Driver.Run(t.Context(), st.Job)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// wants compares an end, and looks for a word in what is said of it.
func wants(t *testing.T, out loop.Outcome, end loop.End, word string) {
	t.Helper()
	if out.End != end || !strings.Contains(out.Message, word) {
		t.Errorf("it ended as %s (%q), want %s with %q", out.End, out.Message, end, word)
	}
}

func works(t *testing.T, k Kit) {
	st := k.stage(t, append([]Step{{Save: true}}, k.good()...)...)
	out := k.run(t, st)
	wants(t, out, loop.EndDone, "")
	if out.Words != "All done." || out.Session == "" || out.Usage.ToolCalls == nil || *out.Usage.ToolCalls != 1 {
		t.Errorf("got %+v", out)
	}
	if out.Version != k.Version || out.Untested || out.Tested == "" || out.Permissions != loop.PermissionsDefault || out.UnknownLines != 0 {
		t.Errorf("version %q, tested %q, untested %v, permissions %q, %d unknown lines", out.Version, out.Tested, out.Untested, out.Permissions, out.UnknownLines)
	}
	if c := k.Driver.Capabilities(); c.Usage != (out.Usage.InputTokens != nil) || c.Cost != (out.Usage.CostMicroUSD != nil) {
		t.Errorf("it claims %+v and reports %+v", c, out.Usage)
	}
	saw := st.Saved(t)
	if !slices.Contains(saw.Env, "PWD="+st.Job.Tree) {
		t.Error("PWD is another folder than its tree")
	}
	if prompt, _ := os.ReadFile(st.Job.Prompt); saw.Stdin != string(prompt) || saw.Dir != st.Job.Tree {
		t.Errorf("it read %q in %s", saw.Stdin, saw.Dir)
	}
	if raw, _ := os.ReadFile(st.Job.Raw); !strings.Contains(string(raw), "done.") {
		t.Errorf("its output is kept as %q", raw)
	}
	kinds := st.Kinds()
	for _, kind := range []agent.EventKind{agent.Session, agent.Text, agent.ToolUse, agent.Result} {
		if kinds[kind] == 0 {
			t.Errorf("no event of kind %s in %v", kind, kinds)
		}
	}
}

func settings(t *testing.T, k Kit) {
	st := k.stage(t, Step{Save: true}, Exit(1))
	st.Job.Agent.Model, st.Job.Agent.Args = "a-model", []string{"--extra", "two words"}
	st.Job.Agent.Env = map[string]string{"AN_ADDITION": "yes"}
	// Called by another name, with words of its own before the driver's.
	if err := os.Rename(filepath.Join(st.Bin, k.Driver.Program()), filepath.Join(st.Bin, "wrapped")); err != nil {
		t.Fatal(err)
	}
	st.Job.Agent.Argv = []string{filepath.Join(st.Bin, "wrapped"), "first"}
	k.run(t, st)
	saw := st.Saved(t)
	args := strings.Join(saw.Args, "\x00")
	if !strings.HasPrefix(args, "first\x00") || !strings.Contains(args, "a-model") || !strings.Contains(args, "--extra\x00two words") {
		t.Errorf("arguments %q", saw.Args)
	}
	if !slices.Contains(saw.Env, "AN_ADDITION=yes") {
		t.Error("the variable is missing")
	}
	if strings.Contains(args, "Do the work") {
		t.Error("the prompt is on the command line")
	}
}

func permissions(t *testing.T, k Kit) {
	a := loop.Agent{Name: "x"}
	usual := k.Driver.CommandLine(a)
	a.Permissions = loop.PermissionsSkip
	if skip := k.Driver.CommandLine(a); slices.Equal(usual, skip) {
		t.Errorf("skipping permissions changes nothing: %q", skip)
	}
	a.Permissions = loop.PermissionsDefault
	if !slices.Equal(usual, k.Driver.CommandLine(a)) {
		t.Error("the default is not the default")
	}
}

func sessions(t *testing.T, k Kit) {
	st := k.stage(t, k.good()...)
	first := k.run(t, st).Session
	st.Job.RunDir += "2"
	second := k.run(t, st).Session
	if k.Chosen && first == second {
		t.Errorf("two runs in one session %q", first)
	}
	st.Job.RunDir += "3"
	st.Job.Resume = &agent.Resume{Session: first}
	if again := k.run(t, st).Session; k.Chosen && again != first {
		t.Errorf("resumed %q as %q", first, again)
	}
}

// lost: a session that its program has forgotten is not asked for again.
func lost(t *testing.T, k Kit) {
	st := k.stage(t, Step{Err: "no such session\n"}, Exit(1))
	st.Job.Resume = &agent.Resume{Session: "11111111-2222-4333-8444-555555555555"}
	out := k.run(t, st)
	wants(t, out, loop.EndTransient, "no such session")
	if out.Session != "" {
		t.Errorf("it keeps the session %q", out.Session)
	}
}

func missing(t *testing.T, k Kit) {
	st := k.stage(t)
	if err := os.Remove(filepath.Join(st.Bin, k.Driver.Program())); err != nil {
		t.Fatal(err)
	}
	st.Job.Env = append(st.Job.Env, "PATH="+st.Bin)
	wants(t, k.run(t, st), loop.EndPermanent, k.Driver.Program())
}

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
		st := NewStage(t, k.Driver.Program(), Scene{
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
