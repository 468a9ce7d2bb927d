package agenttest

import (
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Subject is one driver and sample output of its program.
type Subject struct {
	Driver agent.Driver
	// Program is the name of the fake program; a native driver may leave it
	// out. Serves returns the agent for a server's address where there is no
	// program: the steps are then the server's responses, the agent has no
	// tools, and its output is one answer.
	Program string
	Serves  *loop.Agent
	// Version is the output for --version, or the version in the program's own
	// events.
	Version string
	// Begin are the first lines of a run, Done the last ones, with the text
	// "All done.".
	Begin, Done []string
	// Odd has the meaning of Done as another version might print it: numbers as
	// strings or with fractions, other types in place of lists, surrounding
	// white space.
	Odd []string
	// Work is a complete call of a tool.
	Work []string
	// Say returns a line with text from the model; the text is quoted already.
	Say func(words string) string
	// Running is a call of a tool without its end; empty where the program does
	// not report calls.
	Running []string
	// Trouble is the output of a retry of the provider, Provider a word in it.
	// Muttered is the same on standard error.
	Trouble, Muttered []string
	Provider          string
	// Chosen: ralph chooses the session's id.
	Chosen bool
	// Reads is on the command line of an agent that may only read; nothing of
	// Writes is.
	Reads  string
	Writes []string
}

// Contract checks what every driver promises.
func Contract(t *testing.T, k Subject) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake programs need signals")
	}
	all := map[string]func(*testing.T, Subject){
		"it works":             works,
		"success needs all":    lies,
		"it is silent":         silent,
		"it is stopped":        stopped,
		"it prints anything":   noise,
		"words decide nothing": prose,
		"odd fields":           odd,
	}
	if k.Serves == nil {
		maps.Copy(all, map[string]func(*testing.T, Subject){
			"it is not installed": missing,
			"it lies":             crashes,
			"it stays":            stays,
			"it is stubborn":      stubborn,
			"it leaves others":    leaves,
			"it goes in circles":  circles,
		})
	}
	if _, is := k.native(); is {
		maps.Copy(all, map[string]func(*testing.T, Subject){
			"it works by itself":     alone,
			"settings reach it":      settings,
			"permissions":            permissions,
			"sessions":               sessions,
			"its provider is away":   trouble,
			"a session that is lost": lost,
		})
	}
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, k)
		})
	}
}

// native returns the driver of one known program, which promises more.
func (k Subject) native() (agent.Native, bool) {
	n, is := k.Driver.(agent.Native)
	return n, is
}

func (k Subject) program() string {
	if n, is := k.native(); is {
		return n.Program()
	}
	return k.Program
}

// good returns the steps of a complete successful run.
func (k Subject) good() []Step {
	return []Step{Out(k.Begin...), Out(k.say("I will work.")), Out(k.Work...), Out(k.Done...)}
}

// in prints all lines in one write, so that no time passes between them.
func (Subject) in(all ...[]string) Step { return Out(slices.Concat(all...)...) }

func (k Subject) say(words string) string {
	quoted, _ := json.Marshal(words)
	return k.Say(string(quoted))
}

func (k Subject) stage(t *testing.T, steps ...Step) *Stage {
	t.Helper()
	return k.play(t, Scene{Version: k.Version, Steps: steps})
}

// play prepares the stage. A driver of any program gets the name of the fake.
func (k Subject) play(t *testing.T, s Scene) *Stage {
	t.Helper()
	if k.Serves != nil {
		return newServer(t, *k.Serves, s)
	}
	st := NewStage(t, k.program(), s)
	if _, is := k.native(); !is {
		st.Job.Agent.Argv = []string{k.program()}
	}
	return st
}

func (k Subject) run(t *testing.T, st *Stage) loop.Outcome {
	t.Helper()
	out, err := k.Driver.Run(t.Context(), st.Job)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// wants compares the end of a run and looks for words in its message.
func wants(t *testing.T, out loop.Outcome, end loop.End, word string) {
	t.Helper()
	if out.End != end || !strings.Contains(out.Message, word) {
		t.Errorf("it ended as %s (%q), want %s with %q", out.End, out.Message, end, word)
	}
}
