package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// reread applies a person's changes in the plan's file. A file that cannot be
// read changes nothing: the run continues with the last version, and reports
// it.
func (r *run) reread(ctx context.Context) error {
	if !r.doc.changed() {
		return nil
	}
	before, was := r.doc.plan, r.doc.event()
	next := newDocument(r.doc.path, "")
	next.keep, next.only, next.writer = r.doc.keep, r.doc.only, r.doc.writer
	read, err := next.read()
	if err != nil {
		r.doc.parseError = fmt.Sprintf("was changed and cannot be read: %v", err)
		return nil
	}
	graph, err := next.plan.Graph()
	if err != nil {
		r.doc.parseError = fmt.Sprintf("was changed and is no plan: %v", err)
		return nil
	}
	next.note, next.parseError = "", ""
	clear(next.tried) // changes without a place in the file may have one now
	next.only = renamedAll(next.only, r.state.Moves(read.Tasks))
	read = next.event()
	r.doc, r.graph = next, graph
	if err := r.useGaps(); err != nil {
		return err
	}
	if read.SHA256 == was.SHA256 {
		return nil
	}
	for _, gone := range missing(before, next.plan) {
		// A user who takes a gap out of the file declares it dealt with.
		e := plan.Resolved{Stamp: r.stamp(), Text: gone, By: "a person"}
		if _, err := plan.Apply(r.state, e); err == nil {
			if err := r.commit(ctx, e); err != nil {
				return err
			}
		}
	}
	if slices.Equal(read.Tasks, was.Tasks) && len(read.Findings) == len(was.Findings) {
		return nil
	}
	read.Stamp, read.During = r.stamp(), len(r.jobs) > 0
	return r.commitRead(ctx, read)
}

// commitRead records the content of the file. Renumbered tasks are known by their
// new ids from now on, also to jobs in progress.
func (r *run) commitRead(ctx context.Context, read plan.Read) error {
	read.Moved = r.state.Moves(read.Tasks)
	final := r.state.Final
	if err := r.commit(ctx, read); err != nil {
		return err
	}
	if final != "" && r.state.Final == "" {
		if err := r.endProof(ctx, final); err != nil {
			return err
		}
	}
	r.moved(read.Moved)
	for _, f := range r.jobs {
		f.task = renamed(f.task, read.Moved)
	}
	return nil
}

// endProof ends the loop that proves a plan in which there is more to do now:
// it would repair only a part of the whole.
func (r *run) endProof(ctx context.Context, id string) error {
	_, err := r.Loops.Send(ctx, id, engine.Command{Kind: engine.Abort, Text: "there is more to do in the plan than it looks at", By: r.By})
	if nothingToDo(err) {
		return nil
	}
	return err
}

// endChanged ends a loop that rests and whose task was changed meanwhile: it would continue
// with the old text and the old gates. One that another process holds finishes them.
func (r *run) endChanged(ctx context.Context, id string) (s loop.State, ended bool, err error) {
	l, err := r.Loops.Show(ctx, id)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return s, false, nil
	case err != nil || l.Live || l.State.Status.Terminal():
		return s, false, err
	}
	s, err = r.Loops.Send(ctx, id, engine.Command{Kind: engine.Abort, Text: "the task was changed; a new loop works on the new text", By: r.By})
	if nothingToDo(err) {
		return s, false, nil
	}
	return s, s.Status.Terminal(), err
}

// endBroken ends the loop of a task whose run failed with an error of ralph's own: the
// task's next try has a loop of its own. Where that fails too, the first error counts.
func (r *run) endBroken(ctx context.Context, task string) {
	if t := r.state.Task(task); t != nil && !t.Child && t.Now() != "" {
		_, _ = r.Loops.Send(ctx, t.Now(), engine.Command{Kind: engine.Abort, Text: "its task could not be run on", By: r.By})
	}
}

func renamed(id string, moved map[string]string) string {
	if now, ok := moved[id]; ok {
		return now
	}
	return id
}

func renamedAll(ids []string, moved map[string]string) []string {
	out := slices.Clone(ids)
	for i, id := range out {
		out[i] = renamed(id, moved)
	}
	return out
}

// fileChanges are changes of the file that a run cannot follow at once.
func (r *run) fileChanges() string {
	for _, t := range r.state.Tasks {
		switch {
		case t.Changed != "":
			return fmt.Sprintf("task %s was changed while it is worked on: a running loop finishes the old text, then the new text is worked on", t.ID)
		case t.Gone && t.Status != plan.Done && t.Status != plan.Failed:
			return fmt.Sprintf("task %s left the plan while it is worked on: its loop continues (%s ends it)", t.ID, next.Abort(t.Loop))
		}
	}
	return ""
}

// missing are the gaps and edge cases that left the file.
func missing(before, now plan.Plan) []string {
	var out []string
	for _, text := range slices.Concat(before.Gaps, before.EdgeCases) {
		if !slices.Contains(now.Gaps, text) && !slices.Contains(now.EdgeCases, text) {
			out = append(out, text)
		}
	}
	return out
}

// noteProposed notes which commands the tasks propose when the run begins: the
// accepted ones are gates, and the loss of one of these is reported.
func (r *run) noteProposed() {
	r.proposed = make(map[string][]string, len(r.doc.plan.Tasks))
	for _, t := range r.doc.plan.Tasks {
		r.proposed[t.ID] = t.Commands
	}
}

// moved gives these commands to the tasks that were renumbered.
func (r *run) moved(ids map[string]string) {
	if len(ids) == 0 {
		return
	}
	now := make(map[string][]string, len(r.proposed))
	for id, all := range r.proposed {
		now[renamed(id, ids)] = all
	}
	r.proposed = now
}

// gateChanges reports which accepted commands of tasks left the plan's file while it runs.
// One that was replaced by another accepted command is corrected, not lost.
func (r *run) gateChanges() string {
	var gone []string
	for _, t := range r.doc.plan.Tasks {
		lost := r.acceptedBut(r.proposed[t.ID], t.Commands)
		for _, c := range lost[min(len(lost), len(r.acceptedBut(t.Commands, r.proposed[t.ID]))):] {
			gone = append(gone, fmt.Sprintf(`task %s has lost its gate "%s"`, t.ID, text.Clip(c, mostCommand)))
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return "the plan's file was changed: " + text.Few(gone, 3)
}

// acceptedBut returns the accepted commands among these that are not among the others.
func (r *run) acceptedBut(these, others []string) (out []string) {
	for _, c := range these {
		if _, ok := r.spec.Commands[c]; ok && !slices.Contains(others, c) {
			out = append(out, c)
		}
	}
	return out
}

// mostCommand columns of a command are shown.
const mostCommand = 120
