package resume

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestFlagsForAnotherProcess: a process that resumes one of several runs gets the
// flags that apply to each of them.
func TestFlagsForAnotherProcess(t *testing.T) {
	t.Parallel()
	f := resumeFlags{Options: engine.Options{Now: true, Recovery: true, TakeOver: true, From: 3}, budget: []string{"+5USD"}}
	got := f.words()
	slices.Sort(got)
	if want := []string{"--now", "--rescue"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := (resumeFlags{}).words(); len(got) != 0 {
		t.Errorf("no flags: %v", got)
	}
}

// TestRunnable: gates of another runner's loop may be names only, which ralph
// cannot evaluate.
func TestRunnable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gates []loop.Gate
		want  bool
	}{
		"none":              {nil, false},
		"a command":         {[]loop.Gate{{Name: "tests", Run: "go test ./..."}}, true},
		"a name":            {[]loop.Gate{{Name: "tests", Run: "go test ./..."}, {Name: "promise"}}, false},
		"a person's answer": {[]loop.Gate{{Name: "ask", Kind: loop.KindAnswer}}, true},
		"a picture":         {[]loop.Gate{{Name: "page", Kind: loop.KindVisual}}, true},
	} {
		if got := runnable(c.gates); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestListed: without a terminal every crashed loop is named with its command.
func TestListed(t *testing.T) {
	t.Parallel()
	of := func(id string) engine.Loop {
		return engine.Loop{State: loop.State{Spec: loop.Spec{ID: id, Task: loop.Task{Text: "fix " + id}}}}
	}
	err := listed([]engine.Loop{of("one"), of("two")})
	f := exit.Classify(err)
	if f.Code != exit.Usage || !strings.Contains(f.Hint, "--crashed") {
		t.Errorf("%d %q", f.Code, f.Hint)
	}
	for _, want := range []string{"2 loops crashed", "ralph resume one   fix one", "ralph resume two   fix two"} {
		if !strings.Contains(f.Error(), want) {
			t.Errorf("%q lacks %q", f.Error(), want)
		}
	}
}
