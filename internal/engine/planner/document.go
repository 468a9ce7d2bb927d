package planner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralph/internal/durable"
	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// document is the plan's file, as a run reads it.
type document struct {
	path string
	// keep is the path of the last version that could be read, for showing the
	// plan when the file is gone.
	keep string
	// only are the tasks that a run is about; empty is all.
	only []string
	// unarchive: a person has begun a plan anew whose file is marked as
	// archived.
	unarchive bool

	// plan is that of the file, with the tasks that its open findings became.
	file  planfile.File
	plan  plan.Plan
	index map[string]int
	data  []byte
	seen  stamp

	// writer holds how it is written.
	writer
}

// stamp distinguishes versions of a file without reading it.
type stamp struct {
	size int64
	mod  time.Time
}

func newDocument(path, keep string) *document {
	return &document{path: path, keep: filepath.Join(keep, filepath.Base(path)), writer: writer{tried: map[string]plan.Status{}}}
}

// read parses the file, and returns the facts that a run needs.
func (b *document) read() (plan.Read, error) {
	if err := b.load(); err != nil {
		return plan.Read{}, err
	}
	return b.event(), b.keepCopy()
}

// load takes in the file.
func (b *document) load() error {
	info, err := os.Stat(b.path)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	if info.Size() > planfile.MaxSize {
		return fmt.Errorf("read the plan: %s has %d bytes, at most %d are read", b.path, info.Size(), planfile.MaxSize)
	}
	data, err := os.ReadFile(b.path)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	b.seen = stamp{info.Size(), info.ModTime()}
	return b.take(data)
}

// acquire makes data the plan.
func (b *document) take(data []byte) error {
	f, err := planfile.Read(b.path, data)
	if err != nil {
		return err
	}
	b.hold(f, data)
	return nil
}

// hold makes a file that was read the plan.
func (b *document) hold(f planfile.File, data []byte) {
	more := b.plan.Tasks[min(len(b.file.Plan.Tasks), len(b.plan.Tasks)):]
	b.file, b.data = f, data
	b.use(more)
}

// use adds the tasks that open findings became to those of the file.
func (b *document) use(gapTasks []plan.Task) {
	b.plan = b.file.Plan
	b.plan.Tasks = slices.Concat(b.plan.Tasks, gapTasks)
	b.index = make(map[string]int, len(b.plan.Tasks))
	for i, t := range b.plan.Tasks {
		b.index[t.ID] = i
	}
}

// recall reads the version that was kept.
func (b *document) recall() error {
	data, err := os.ReadFile(b.keep)
	if err != nil {
		return err
	}
	return b.take(data)
}

func (b *document) keepCopy() error {
	if old, err := os.ReadFile(b.keep); err == nil && bytes.Equal(old, b.data) {
		return nil
	}
	return durable.Write(b.keep, b.data)
}

// event returns the facts that a run needs of the plan.
func (b *document) event() plan.Read {
	sum := sha256.Sum256(b.data)
	e := plan.Read{SHA256: hex.EncodeToString(sum[:]), Title: b.plan.Title}
	e.Tasks = readTasks(b.file.Plan, b.only)
	for _, text := range b.plan.Gaps {
		e.Findings = append(e.Findings, plan.Finding{Kind: plan.Gap, Text: text, From: "the plan"})
	}
	for _, text := range b.plan.EdgeCases {
		e.Findings = append(e.Findings, plan.Finding{Kind: plan.EdgeCase, Text: text, From: "the plan"})
	}
	return e
}

// readTasks are a plan's tasks as a run that is about some of them reads them.
func readTasks(pl plan.Plan, only []string) []plan.ReadTask {
	out := make([]plan.ReadTask, len(pl.Tasks))
	for i, t := range pl.Tasks {
		out[i] = plan.ReadTask{ID: t.ID, Title: t.Title, Digest: digest(t), Status: AskedFor(t, only), Attempts: t.Attempts}
	}
	return out
}

// ticks are the marks of boxes, which record how far a task is and not its
// text.
var ticks = lazyregexp.New(`(?m)^(\s*(?:[-*+]|\d+[.)])\s+\[)[^\]\n](\])`)

// dependencies are a line of Markdown that names other tasks: numbers, which
// change when these are numbered anew.
var dependencies = lazyregexp.New(`(?mi)^\s*(?:[-*+]\s+)?\*\*(?:dependencies|depends on)(?::\*\*|\*\*:).*\n?`)

// digest distinguishes tasks: by their text, whatever number they have and
// whatever they wait for.
func digest(t plan.Task) string {
	title, _ := plan.Unnumbered(t.Title)
	text := dependencies.ReplaceAllString(ticks.ReplaceAllString(t.Text, "$1 $2"), "")
	data, err := json.Marshal([]any{title, text, t.Criteria})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// AskedFor returns the status of a task for a run that is about these tasks
// alone: an optional one is skipped until a user asks for it by name.
func AskedFor(t plan.Task, only []string) plan.Status {
	if t.Optional && t.Status == plan.Skipped && slices.Contains(only, t.ID) {
		return plan.Pending
	}
	return t.Status
}

func (b *document) task(id string) (plan.Task, bool) {
	i, ok := b.index[id]
	if !ok {
		return plan.Task{ID: id, Title: id}, false
	}
	return b.plan.Tasks[i], true
}

// title is a task's, or "" where the file does not have the task.
func (b *document) title(id string) string {
	t, _ := b.task(id)
	return t.Title
}

// changed reports whether the file may be another one than was read.
func (b *document) changed() bool {
	info, err := os.Stat(b.path)
	return err == nil && stamp{info.Size(), info.ModTime()} != b.seen
}
