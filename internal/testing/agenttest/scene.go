package agenttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Scene is the behavior of a fake program.
type Scene struct {
	// Version is its output for --version.
	Version string
	Steps   []Step
	// Interrupted is the reaction to INT; without it, INT ends the program.
	Interrupted []Step
}

// Step is one action. In Out, {{session}} is replaced by the session on the
// command line and {{n}} by the number of earlier prints; a line {{hear}} waits
// for a line of standard input.
type Step struct {
	Out, Err string
	// Times repeats Out and Err; zero is once.
	Times int
	// Long prints that many bytes of text after Out.
	Long int
	// Save writes standard input, arguments, environment and folder to the
	// scene's folder.
	Save bool
	// Leave starts a process in a new session and does not wait for it.
	Leave bool
	// Hang never ends; Deaf does not either, and ignores INT and TERM.
	Hang, Deaf bool
	// Signal ends it by that signal; Exit with that code.
	Signal int
	Exit   *int
}

// Out and the functions below return steps.
func Out(lines ...string) Step {
	s := Step{}
	for _, l := range lines {
		s.Out += l + "\n"
	}
	return s
}

// Exit ends the program.
func Exit(code int) Step { return Step{Exit: &code} }

// sceneVariable names the file of the scene to the fake program.
const sceneVariable = "AGENTTEST_SCENE"

// Stage is the place of a fake program.
type Stage struct {
	// Dir holds what Save writes; Bin the program.
	Dir, Bin string
	Job      agent.Job
	Events   []agent.Event
}

// NewStage returns a job whose program is a fake of that name.
func NewStage(t *testing.T, program string, s Scene) *Stage {
	t.Helper()
	dir := t.TempDir()
	st := &Stage{Dir: dir, Bin: filepath.Join(dir, "bin")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(s)
	for _, err := range []error{
		os.MkdirAll(st.Bin, 0o755), os.MkdirAll(filepath.Join(dir, "tree"), 0o755),
		os.Symlink(self, filepath.Join(st.Bin, program)),
		os.WriteFile(filepath.Join(dir, "scene.json"), text, 0o600),
		os.WriteFile(filepath.Join(dir, "prompt.md"), []byte("Do the work.\nAll of it."), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	st.Job = agent.Job{
		Agent: loop.Agent{Name: program, Use: program},
		Tree:  filepath.Join(dir, "tree"), Prompt: filepath.Join(dir, "prompt.md"), Raw: filepath.Join(dir, "agent.txt"),
		RunDir: filepath.Join(dir, "run"), RunID: "agenttest-" + filepath.Base(dir) + "-" + agent.NewSession(),
		Env: stream.Overlay(os.Environ(), []string{
			"PATH=" + st.Bin + string(os.PathListSeparator) + os.Getenv("PATH"), sceneVariable + "=" + filepath.Join(dir, "scene.json"),
		}),
		Timeout: loop.Deadline{Hard: 2 * time.Minute}, Grace: 300 * time.Millisecond,
		OnEvent: func(e agent.Event) { st.Events = append(st.Events, e) },
	}
	return st
}

// Saved is the output of a step with Save.
type Saved struct {
	Stdin string
	Args  []string
	Env   []string
	Dir   string
}

// Saved reads it.
func (s *Stage) Saved(t *testing.T) Saved {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Dir, "saved.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out Saved
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Kinds counts the events by kind.
func (s *Stage) Kinds() map[agent.EventKind]int {
	out := map[agent.EventKind]int{}
	for _, e := range s.Events {
		out[e.Kind]++
	}
	return out
}
