package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Layout names the files of one loop's directory (design §5).
type Layout struct{ Dir string }

// Attempt is the directory of attempt n; 0 is the base.
func (l Layout) Attempt(n int) string {
	return filepath.Join(l.Dir, "attempts", fmt.Sprintf("%03d", n))
}

// Prompt, Events, Output and Patch of attempt n.
func (l Layout) Prompt(n int) string { return filepath.Join(l.Attempt(n), "prompt.md") }

// Events is the driver's structured stream, one JSON object a line.
func (l Layout) Events(n int) string { return filepath.Join(l.Attempt(n), "agent.jsonl") }

// Output is the agent's output, unmodified.
func (l Layout) Output(n int) string { return filepath.Join(l.Attempt(n), "agent.txt") }

// Patch is the diff of attempt n.
func (l Layout) Patch(n int) string { return filepath.Join(l.Attempt(n), "diff.patch") }

// GateLog is the output of a gate; confirmations have files of their own.
func (l Layout) GateLog(n int, gate string, pass int) string {
	name := fileName(gate)
	if pass > 0 {
		name += fmt.Sprintf(".%d", pass+1)
	}
	return filepath.Join(l.Attempt(n), "gates", name+".log")
}

// RunLog is the log of runs in the background, of all of them.
func (l Layout) RunLog() string { return filepath.Join(l.Dir, "run.log") }

// Memory is the loop's own summary (ralph.memory/v1); it exists once the loop
// has ended.
func (l Layout) Memory() string { return filepath.Join(l.Dir, "memory.json") }

// Template is the project's own prompt, as it was when the loop started.
func (l Layout) Template() string { return filepath.Join(l.Dir, "implementer.md.tmpl") }

// Runs holds the records of the processes of attempt n.
func (l Layout) Runs(n int) string { return filepath.Join(l.Attempt(n), "runs") }

// NewRun reserves a directory for the records of one process. A run is never
// repeated in the same directory: it may still have a living child.
func (l Layout) NewRun(n int, what string) (string, error) {
	if err := os.MkdirAll(l.Runs(n), 0o700); err != nil {
		return "", fmt.Errorf("make the directory of a run: %w", err)
	}
	for i := 1; ; i++ {
		dir := filepath.Join(l.Runs(n), fmt.Sprintf("%s-%d", fileName(what), i))
		switch err := os.Mkdir(dir, 0o700); {
		case err == nil:
			return dir, nil
		case !os.IsExist(err):
			return "", fmt.Errorf("make the directory of a run: %w", err)
		}
	}
}

// fileName makes a name safe as a single element of a path.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, name)
	if safe = strings.TrimLeft(safe, "."); safe == "" {
		return "_"
	}
	return safe[:min(len(safe), 64)]
}

// eventLog keeps what an agent's protocol reported, a JSON object a line. It is
// bounded as the agent's output is: an agent that never stops talking fills no
// disk.
type eventLog struct {
	file *os.File
	left int
}

// maxEventLog is the size of a run's events that are kept.
const maxEventLog = 16 << 20

func openEventLog(path string) (*eventLog, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep the agent's events: %w", err)
	}
	l := &eventLog{file, maxEventLog}
	if info, err := file.Stat(); err == nil && info.Size() > 0 {
		// A run begins with no usage: an existing file is an earlier run's.
		l.add(agent.Event{Kind: agent.UsageSeen, Usage: &loop.Usage{}})
	}
	return l, nil
}

// add is best effort: the events explain, they prove nothing.
func (l *eventLog) add(e agent.Event) {
	if l.left <= 0 {
		return
	}
	line, err := json.Marshal(e)
	if err != nil {
		return
	}
	if l.left -= len(line) + 1; l.left <= 0 {
		line = []byte(`{"kind":"raw","text":"what followed was not kept: too many events"}`)
	}
	_, _ = l.file.Write(append(line, '\n'))
}

func (l *eventLog) Close() error { return l.file.Close() }
