package engine

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/kept"
)

// Layout names the files of one loop's directory (docs/formats-files.md).
type Layout struct{ Dir string }

// Attempt is the directory of attempt n; 0 is the base.
func (l Layout) Attempt(n int) string {
	return filepath.Join(l.Dir, "attempts", fmt.Sprintf("%03d", n))
}

// Prompt, Events, Outputs and Patch of attempt n.
func (l Layout) Prompt(n int) string { return filepath.Join(l.Attempt(n), "prompt.md") }

// Events is the driver's structured stream, one JSON object a line.
func (l Layout) Events(n int) string { return filepath.Join(l.Attempt(n), "agent.jsonl") }

// output is the file of the k-th run of the agent in attempt n.
func (l Layout) output(n, k int) string {
	if k == 1 {
		return filepath.Join(l.Attempt(n), "agent.txt")
	}
	return filepath.Join(l.Attempt(n), fmt.Sprintf("agent.%d.txt", k))
}

// Outputs are the outputs of the agent's runs in attempt n that exist, oldest first.
// An attempt has more than one run after an interruption, or a wait for the provider.
func (l Layout) Outputs(n int) (files []string) {
	for k := 1; ; k++ {
		path := l.output(n, k)
		if _, err := kept.Size(path); err != nil {
			return files
		}
		files = append(files, path)
	}
}

// Output is that of the newest run of the agent in attempt n.
func (l Layout) Output(n int) string { return l.output(n, max(len(l.Outputs(n)), 1)) }

// NewOutput is the file for the output of the next run of the agent in attempt n.
func (l Layout) NewOutput(n int) string { return l.output(n, len(l.Outputs(n))+1) }

// Patch is the diff of attempt n.
func (l Layout) Patch(n int) string { return filepath.Join(l.Attempt(n), "diff.patch") }

// GateLog is the output of a gate; confirmations have files of their own.
func (l Layout) GateLog(n int, gate string, pass int) string {
	name := FileName(gate)
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
	if err := durable.MkdirAll(l.Runs(n)); err != nil {
		return "", fmt.Errorf("make the directory of a run: %w", err)
	}
	for i := 1; ; i++ {
		dir := filepath.Join(l.Runs(n), fmt.Sprintf("%s-%d", FileName(what), i))
		switch err := os.Mkdir(dir, 0o700); {
		case err == nil:
			return dir, nil
		case !os.IsExist(err):
			return "", fmt.Errorf("make the directory of a run: %w", err)
		}
	}
}

// Size returns the size in bytes of a file of a loop, which may have ended and been
// packed. Without one the error is fs.ErrNotExist.
func Size(path string) (int64, error) { return kept.Size(path) }

// Open opens such a file for reading, from an offset in bytes on.
func Open(path string, from int64) (io.ReadCloser, error) { return kept.Open(path, from) }

// FileName makes a name safe as a single element of a path.
func FileName(name string) string {
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
