package team

import (
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func TestWaitsFor(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	worker := func(silent time.Duration, labels ...string) engine.WorkerProcess {
		return engine.WorkerProcess{Labels: labels, Seen: now.Add(-silent)}
	}
	for want, c := range map[string]struct {
		runsOn  []string
		workers []engine.WorkerProcess
	}{
		"no worker yet":                                {nil, []engine.WorkerProcess{worker(0)}},
		"no worker yet; it runs on gpu":                {[]string{"gpu"}, []engine.WorkerProcess{worker(0), worker(0, "docker", "gpu")}},
		"no worker yet; it runs on docker":             {[]string{"docker"}, nil},
		"no worker has the label gpu":                  {[]string{"docker", "gpu"}, []engine.WorkerProcess{worker(0, "docker"), worker(time.Hour, "gpu")}},
		"no worker has the label docker, gpu":          {[]string{"docker", "gpu"}, []engine.WorkerProcess{}},
		"no worker has all of its labels: docker, gpu": {[]string{"docker", "gpu"}, []engine.WorkerProcess{worker(0, "docker"), worker(0, "gpu")}},
	} {
		if got := waitsFor(loop.State{Spec: loop.Spec{RunsOn: c.runsOn}}, c.workers, now); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestCopies: a copy has the events of the server, and one of its own before them.
func TestCopies(t *testing.T) {
	t.Parallel()
	c := copies{of: map[string]engine.Mark{"ended": {ID: "ended", Seq: 5}, "archived": {ID: "archived", Seq: 9, Archived: true}}}
	for what, got := range map[string]bool{
		"the same event":   c.At("ended", 4),
		"an archived copy": c.Archived("archived"),
	} {
		if !got {
			t.Errorf("%s: not known", what)
		}
	}
	for what, got := range map[string]bool{
		"a newer event":                          c.At("ended", 5),
		"a loop without a copy":                  c.At("other", -1),
		"a loop that has only ended":             c.Archived("ended"),
		"an archived copy of a loop that is not": c.At("archived", 8),
	} {
		if got {
			t.Errorf("%s: known", what)
		}
	}
}
