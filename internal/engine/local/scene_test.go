//go:build linux

package local_test

import (
	"crypto/rand"
	"encoding/hex"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// scene is a whole run that ends in the same way each time.
type scene struct {
	name   string
	script string // the agent's scenario
	max    int
	change func(*loop.Spec)
	sends  []send
	// beginsAlike: up to its first attempt it is the first scene again.
	beginsAlike bool
}

// The gate's script is restored from the base before it runs; it has to be
// another file than the one the agent is to change.
const (
	gateScript = "cat answer.txt; grep -qx 3 answer.txt\n"
	gateRun    = "sh check.sh"
)

// scenes are the runs that are killed everywhere.
func scenes() []scene {
	return []scene{
		{name: "passes at the third", max: 5, script: `attempts:
- [{write: {path: answer.txt, text: "1\n"}}, {usage: {input: 10, output: 1}}]
- [{write: {path: answer.txt, text: "2\n"}}, {write: {path: more/new.txt, text: "x\n"}}, {usage: {input: 20, output: 2}}]
- [{write: {path: answer.txt, text: "3\n"}}, {usage: {input: 30, output: 3}}, {result: Done.}]
`},
		{name: "fails at the maximum", beginsAlike: true, max: 2, script: `attempts:
- [{write: {path: answer.txt, text: "1\n"}}]
- [{write: {path: answer.txt, text: "2\n"}}, {write: {path: left.txt, text: "kept\n"}}]
`},
		{name: "commits by itself", beginsAlike: true, max: 5, script: `attempts:
- - sh: echo 1 >answer.txt; git add answer.txt; git -c user.name=Bot -c user.email=bot@example.org commit -qm 'Agent says one' || true
  - write: {path: rest.txt, text: "not committed\n"}
- - sh: echo 3 >answer.txt; git add answer.txt; git -c user.name=Bot -c user.email=bot@example.org commit -qm 'Agent says three' || true
`},
		{name: "in place", max: 5, change: func(s *loop.Spec) { s.InPlace = true }, script: `attempts:
- [{write: {path: answer.txt, text: "1\n"}}]
- [{write: {path: answer.txt, text: "3\n"}}]
`},
		{name: "with setup", max: 5, change: func(s *loop.Spec) {
			s.Setup, s.Copy = []string{"test -f secret.env && mkdir -p deps && echo ok >deps/log"}, []string{"secret.env"}
			s.Gates[0].Run = "test -f deps/log && " + gateRun
		}, script: `attempts:
- [{sh: test -f deps/log && test -f secret.env && echo 3 >answer.txt}]
`},
		{name: "paused", beginsAlike: true, max: 5, sends: []send{
			{On: "attempt_began", Attempt: 1, Command: engine.Command{Kind: engine.Pause, By: "test"}},
			{On: "attempt_began", Attempt: 2, Command: engine.Command{Kind: engine.Steer, Text: "Say three.", By: "test"}},
		}, script: `attempts:
- [{write: {path: answer.txt, text: "1\n"}}]
- [{write: {path: answer.txt, text: "3\n"}}]
`},
		{name: "aborted", beginsAlike: true, max: 5, sends: []send{
			{On: "attempt_began", Attempt: 2, Command: engine.Command{Kind: engine.Abort, Text: "enough", By: "test"}},
		}, script: `attempts:
- [{write: {path: answer.txt, text: "1\n"}}]
- [{hang: true}]
`},
		{name: "asks until a deadline", beginsAlike: true, max: 5, script: `attempts:
- [{write: {path: answer.txt, text: "1\n"}}]
- [{ask: {text: "Two or three?", default: three, within: 50ms}}, {write: {path: answer.txt, text: "3\n"}}]
`},
		{name: "leaves a daemon", beginsAlike: true, max: 5, script: `attempts:
- [{sh: "(setsid sleep 600 </dev/null >/dev/null 2>&1 &)"}, {write: {path: answer.txt, text: "3\n"}}]
`},
	}
}

func sceneNamed(t testing.TB, name string) scene {
	t.Helper()
	for _, s := range scenes() {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("no scene %q", name)
	return scene{}
}

// spec of the scene's loop; its id is found in the environment of all its
// processes.
func (s scene) spec(t testing.TB, w world) loop.Spec {
	t.Helper()
	b := make([]byte, 6)
	_, _ = rand.Read(b)
	spec := loop.Spec{
		ID: "crash-" + hex.EncodeToString(b), Mode: loop.Supervised, Root: w.repo(), Base: w.git(t, "rev-parse", "HEAD"),
		Task:   loop.Task{ID: "the-answer", Text: "Make the answer right"},
		Agent:  loop.Agent{Name: "scripted", Use: "script", Argv: []string{w.scenario()}},
		Gates:  []loop.Gate{{Name: "answer", Kind: loop.KindCommand, Level: loop.Hard, Run: gateRun}},
		Limits: loop.DefaultLimits(),
	}
	spec.Branch = "ralph/" + spec.ID
	spec.Limits.MaxIterations = s.max
	if s.change != nil {
		s.change(&spec)
	}
	return spec
}
