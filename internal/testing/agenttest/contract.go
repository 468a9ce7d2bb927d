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

// Kit is one driver and the words of its program's protocol.
type Kit struct {
	Driver agent.Driver
	// Program is the name of the fake one; it may be left out of a native driver.
	// Serves is whom to ask where there is no program: the steps are what a
	// server answers him. He has no tools, and what he says is one answer.
	Program string
	Serves  *loop.Agent
	// Version is what the program answers to --version, or says itself.
	Version string
	// Begin are its first lines, Done its last, with the words "All done.".
	Begin, Done []string
	// Odd is Done as another version might print it: numbers as texts or with
	// fractions, lists that are none, white space around. It says the same.
	Odd []string
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
	// Reads stands on the command line of who may only read, and nothing of
	// Writes does.
	Reads  string
	Writes []string
}

// Contract holds a driver to what every driver promises.
func Contract(t *testing.T, k Kit) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake programs need signals")
	}
	all := map[string]func(*testing.T, Kit){
		"it works":             works,
		"success needs all":    lies,
		"it is silent":         silent,
		"it is stopped":        stopped,
		"it prints anything":   noise,
		"words decide nothing": prose,
		"odd fields":           odd,
	}
	if k.Serves == nil {
		maps.Copy(all, map[string]func(*testing.T, Kit){
			"it is not installed": missing,
			"it lies":             crashes,
			"it stays":            stays,
			"it is stubborn":      stubborn,
			"it leaves others":    leaves,
			"it goes in circles":  circles,
		})
	}
	if _, is := k.native(); is {
		maps.Copy(all, map[string]func(*testing.T, Kit){
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

// native is the driver of one known program, which promises more.
func (k Kit) native() (agent.Native, bool) {
	n, is := k.Driver.(agent.Native)
	return n, is
}

func (k Kit) program() string {
	if n, is := k.native(); is {
		return n.Program()
	}
	return k.Program
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
	return k.play(t, Scene{Version: k.Version, Steps: steps})
}

// play makes the stage. Whoever drives any program is told which.
func (k Kit) play(t *testing.T, s Scene) *Stage {
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
