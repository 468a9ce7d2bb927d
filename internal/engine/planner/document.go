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
func (d *document) read() (plan.Read, error) {
	if err := d.load(); err != nil {
		return plan.Read{}, err
	}
	return d.event(), d.keepCopy()
}

// load takes in the file.
func (d *document) load() error {
	info, err := os.Stat(d.path)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	if info.Size() > planfile.MaxSize {
		return fmt.Errorf("read the plan: %s has %d bytes, at most %d are read", d.path, info.Size(), planfile.MaxSize)
	}
	data, err := os.ReadFile(d.path)
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	d.seen = stamp{info.Size(), info.ModTime()}
	return d.take(data)
}

// take makes data the plan.
func (d *document) take(data []byte) error {
	f, err := planfile.Read(d.path, data)
	if err != nil {
		return err
	}
	d.hold(f, data)
	return nil
}

// hold makes a file that was read the plan.
func (d *document) hold(f planfile.File, data []byte) {
	more := d.plan.Tasks[min(len(d.file.Plan.Tasks), len(d.plan.Tasks)):]
	d.file, d.data = f, data
	d.use(more)
}

// use adds the tasks that open findings became to those of the file.
func (d *document) use(gapTasks []plan.Task) {
	d.plan = d.file.Plan
	d.plan.Tasks = slices.Concat(d.plan.Tasks, gapTasks)
	d.index = make(map[string]int, len(d.plan.Tasks))
	for i, t := range d.plan.Tasks {
		d.index[t.ID] = i
	}
}

// recall reads the version that was kept.
func (d *document) recall() error {
	data, err := os.ReadFile(d.keep)
	if err != nil {
		return err
	}
	return d.take(data)
}

func (d *document) keepCopy() error {
	if old, err := os.ReadFile(d.keep); err == nil && bytes.Equal(old, d.data) {
		return nil
	}
	return durable.Write(d.keep, d.data)
}

// event returns the facts that a run needs of the plan.
func (d *document) event() plan.Read {
	sum := sha256.Sum256(d.data)
	e := plan.Read{SHA256: hex.EncodeToString(sum[:]), Title: d.plan.Title}
	e.Tasks = readTasks(d.file.Plan, d.only)
	for _, text := range d.plan.Gaps {
		e.Findings = append(e.Findings, plan.Finding{Kind: plan.Gap, Text: text, From: "the plan"})
	}
	for _, text := range d.plan.EdgeCases {
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

func (d *document) task(id string) (plan.Task, bool) {
	i, ok := d.index[id]
	if !ok {
		return plan.Task{ID: id, Title: id}, false
	}
	return d.plan.Tasks[i], true
}

// title is a task's, or "" where the file does not have the task.
func (d *document) title(id string) string {
	t, _ := d.task(id)
	return t.Title
}

// changed reports whether the file may be another one than was read.
func (d *document) changed() bool {
	info, err := os.Stat(d.path)
	return err == nil && stamp{info.Size(), info.ModTime()} != d.seen
}
