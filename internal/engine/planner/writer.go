package planner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"ralph/internal/durable"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// writeEvery is the least time between two writes of a plan's file, and writeEach what each of
// its tasks adds: the file is written as a whole, and a task of a long plan must not cost more
// for it than one of a short plan.
const (
	writeEvery = time.Second
	writeEach  = 2 * time.Millisecond
)

// writesAt is when a change of the record is due in the file.
func (d *document) writesAt() time.Time {
	return d.wrote.Add(writeEvery + time.Duration(len(d.plan.Tasks))*writeEach)
}

// writer holds the pending changes of a plan's file.
type writer struct {
	wrote time.Time
	// tried is the last status of each task that was handed to the file, so
	// that a status without a place in the format is not tried again and again.
	tried map[string]plan.Status
	// note explains why the file lags behind the record; empty: it does not.
	note string
	// parseError explains why the run cannot follow the file; empty: it can.
	parseError string
}

// flush writes the changes of the record that the file lacks. A file that a
// person changed meanwhile is read first; one that cannot be written is left
// alone.
func (d *document) flush(_ context.Context, s *plan.State, g *plan.Graph, now bool) error {
	if g == nil || !now && time.Now().Before(d.writesAt()) {
		return nil
	}
	d.wrote = time.Now()
	changes := d.changes(s, g)
	if len(changes) == 0 {
		return nil
	}
	data, err := os.ReadFile(d.path)
	if err != nil {
		d.notWritten("cannot be read: %v", err)
		return nil
	}
	written := planfile.Merge(d.file, data, changes)
	d.note = leftText(written.Left)
	if bytes.Equal(written.Data, data) {
		return nil
	}
	if err := d.write(written.Data); err != nil {
		d.notWritten("cannot be written: %v", err)
		return nil
	}
	if !bytes.Equal(data, d.data) {
		return nil // the run reads a person's changes at its next step
	}
	return d.wroteAll(written)
}

// notWritten records that the file lacks a change of the record, and why. It is
// tried again: the user who broke the file may fix it.
func (d *document) notWritten(why string, err error) {
	d.note = fmt.Sprintf("not written into the plan's file: it "+why, err)
	clear(d.tried)
}

// message returns the remarks about the file for the user.
func (w *writer) message() string {
	switch {
	case w.parseError == "":
		return w.note
	case w.note == "":
		return "the plan's file " + w.parseError
	}
	return "not written into the plan's file: it " + w.parseError
}

// leftText names the parts of the record that the file lacks, except those
// without a place in its format.
func leftText(left []planfile.Left) string {
	for _, l := range left {
		if l.Why != planfile.NoPlace {
			return "not written into the plan's file: " + l.Message
		}
	}
	return ""
}

func (d *document) write(data []byte) error {
	info, err := os.Stat(d.path)
	if err != nil {
		return err
	}
	return durable.Replace(d.path, data, info.Mode().Perm())
}

// wroteAll accepts our own writes: no other process changed the file.
func (d *document) wroteAll(w planfile.Written) error {
	d.hold(w.File, w.Data)
	if info, err := os.Stat(d.path); err == nil {
		d.seen = stamp{info.Size(), info.ModTime()}
	}
	return d.keepCopy()
}

// changes returns the differences between the record and the file.
func (d *document) changes(s *plan.State, g *plan.Graph) []planfile.Change {
	var out []planfile.Change
	status := s.Statuses(g)
	for i := range s.Tasks {
		t := &s.Tasks[i]
		now, known := status[t.ID]
		task, there := d.task(t.ID)
		if !known || !there || t.Claimed || task.Status == now || d.tried[t.ID] == now || digest(task) != t.Digest {
			continue
		}
		d.tried[t.ID] = now
		c := planfile.Change{
			Kind: planfile.SetTask, Task: t.ID, Status: now, Attempts: t.Recorded(), At: s.LastAt,
			Again: task.Status == plan.Done, // a person did not take a ticked box as done
		}
		if now == plan.Failed {
			c.Error = t.Message
		}
		if now == plan.Done && (task.Kind != plan.KindText || task.Output == "") { // there it names the path of the product
			c.Output = t.Output
		}
		out = append(out, c)
	}
	return append(out, d.planChanges(s)...)
}

func (d *document) planChanges(s *plan.State) []planfile.Change {
	var out []planfile.Change
	want := plan.PlanInProgress
	if s.Status == loop.StatusPassed && len(s.Rules.Only) == 0 && len(s.Open()) == 0 {
		want = plan.PlanComplete // seed 003: not with a gap or an edge case
	}
	if d.plan.Status != "" && d.plan.Status != want && s.StartedAt != (time.Time{}) {
		out = append(out, planfile.Change{Kind: planfile.SetPlan, Plan: want, Again: d.unarchive})
	}
	for _, f := range s.Findings {
		have, add, remove := d.plan.Gaps, planfile.AddGap, planfile.RemoveGap
		if f.Kind == plan.EdgeCase {
			have, add, remove = d.plan.EdgeCases, planfile.AddEdgeCase, planfile.RemoveEdgeCase
		}
		switch in := slices.Contains(have, f.Text); {
		case f.Resolved == "" && !in && d.tried["finding/"+f.Text] == "":
			out = append(out, planfile.Change{Kind: add, Text: f.Text})
			d.tried["finding/"+f.Text] = plan.Running
		case f.Resolved != "" && in:
			out = append(out, planfile.Change{Kind: remove, Text: f.Text})
		}
	}
	if at := s.ReviewedAt; !at.IsZero() && d.tried["review"] != plan.Status(at.String()) {
		d.tried["review"] = plan.Status(at.String())
		out = append(out, planfile.Change{Kind: planfile.Reviewed, At: at})
	}
	return out
}
