package planner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Bounds of what a task is told of others: prompts are short.
const (
	mostPage    = 48 << 10
	mostOutputs = 12
	mostWords   = 2 << 10
)

// inPlan is what a task's agent is told of the plan around it.
func (r *run) inPlan(task plan.Task, t plan.TaskState) *loop.InPlan {
	in := &loop.InPlan{Title: r.state.Title, File: r.ownFile(), Constraints: cut(r.book.plan.Constraints, mostPage/4), Why: t.Why, Told: t.Told}
	if r.book.plan.Sectioned {
		in.Page, in.Turns = cut(string(r.book.data), mostPage), chunkTurns
	}
	for _, todo := range task.Todos {
		in.Steps = append(in.Steps, todo.Text)
	}
	in.Large = len(in.Steps) == 0 && t.Agreed == "" && task.Kind != plan.KindText && task.Large()
	for _, f := range r.state.Open() {
		in.Open = append(in.Open, f.Text)
	}
	if t.Before != "" {
		if out, err := r.output(t.ID, t.Before, task.Title); err == nil {
			in.Before = &out
		}
	}
	for _, id := range r.graph.Needs(t.ID) {
		n := r.state.Task(id)
		if n == nil || n.Loop == "" || len(in.Done) == mostOutputs {
			continue
		}
		if out, err := r.output(n.ID, n.Loop, r.book.title(id)); err == nil {
			in.Done = append(in.Done, out)
		}
	}
	in.Agreed = r.agreed(t)
	if task.Kind == plan.KindText {
		in.OutputFile = outputFile(r.state.ID, r.book.plan, task)
	}
	return in
}

// chunkTurns is after how many turns an agent looks for a natural point to stop
// (seed 003: 15 to 20).
const chunkTurns = 20

// output is what a task left, from the record of its loop.
func (p *Planner) output(task, id, title string) (loop.Output, error) {
	l, err := p.Engine.Show(context.Background(), id)
	if err != nil {
		return loop.Output{}, err
	}
	out := loop.Output{Task: task, Title: title}
	var files []string
	for _, a := range l.State.Attempts {
		files = union(files, a.Files)
		out.Words = closing(a.Agent)
	}
	out.Changed = cut(fmt.Sprintf("%d files: %s", len(files), strings.Join(files, ", ")), mostWords)
	out.Words = cut(out.Words, mostWords)
	return out, nil
}

// save writes what a task left where people find it, and answers its path in
// words of the repository; empty where there is no such place.
func (r *run) save(title string, t plan.TaskState, commit string) string {
	planID := r.spec.ID
	out, err := r.output(t.ID, t.Loop, title)
	if err != nil || r.Views == "" {
		return ""
	}
	dir := filepath.Join(r.Views, "plans", planID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\nLoop %s, landed as %s.\n\nChanged %s\n", t.ID, title, t.Loop, commit, out.Changed)
	if out.Words != "" {
		fmt.Fprintf(&b, "\n## The agent's words (a claim)\n\n%s\n", out.Words)
	}
	name := strings.TrimPrefix(t.Loop, planID+"-") + ".md"
	if err := engine.WriteDurably(filepath.Join(dir, name), []byte(b.String())); err != nil {
		return ""
	}
	return ".ralph/plans/" + planID + "/" + name
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "\n… (cut)"
}

// ownFile is the plan's file from the root of the tree that it lies in.
func (r *run) ownFile() string {
	for _, root := range []string{r.Repo.Root, r.Repo.MainRoot} {
		if rel, err := filepath.Rel(root, r.book.path); root != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return ""
}
