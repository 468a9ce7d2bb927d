package agenttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Recorded is a driver's result of a run.
type Recorded struct {
	Events  []agent.Event `json:"events"`
	Outcome loop.Outcome  `json:"outcome"`
}

// Noon is the time of every recorded run: a Friday, in UTC.
func Noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// Golden compares a driver's result of every recorded run in testdata with the
// expected one. A file has the parts stdout, stderr, exit (a code, a signal's
// name, or timeout), and want, which update rewrites.
func Golden(t *testing.T, update bool, l stream.Launch, dialect func(agent.Job) stream.Dialect) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded runs: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			golden(t, file, update, l, dialect)
		})
	}
}

func golden(t *testing.T, file string, update bool, l stream.Launch, dialect func(agent.Job) stream.Dialect) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	part := func(name string) []byte {
		for _, f := range a.Files {
			if f.Name == name {
				return f.Data
			}
		}
		return nil
	}
	got := Read(l, dialect, part("stdout"), part("stderr"), ending(string(part("exit"))))
	text, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if update {
		a.Files = append(withoutWant(a.Files), txtar.File{Name: "want", Data: text})
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(part("want")), string(text)); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

func withoutWant(files []txtar.File) (out []txtar.File) {
	for _, f := range files {
		if f.Name != "want" {
			out = append(out, f)
		}
	}
	return out
}

// Read returns a driver's result of a run with that output and exit.
func Read(l stream.Launch, dialect func(agent.Job) stream.Dialect, stdout, stderr []byte, run agent.Run) Recorded {
	var out Recorded
	job := agent.Job{
		Agent: loop.Agent{Name: "it", Use: "it"}, Tree: "/repo/tree", Timeout: loop.Deadline{Hard: 20 * time.Minute},
		OnEvent: func(e agent.Event) { out.Events = append(out.Events, e) },
		Now:     Noon,
	}
	out.Outcome = stream.Recorded(job, l, dialect(job), stdout, stderr, run)
	return out
}

func ending(text string) (run agent.Run) {
	text = strings.TrimSpace(text)
	run.Duration = time.Second
	switch code, err := strconv.Atoi(text); {
	case text == "":
		run.Code = new(0)
	case err == nil:
		run.Code = &code
	case text == "timeout":
		run.TimedOut, run.Signal = true, "SIGTERM"
	case strings.HasPrefix(text, "SIG"):
		run.Signal = strings.ToValidUTF8(text, "")
	default:
		run.Signal = "SIGKILL"
	}
	return run
}
