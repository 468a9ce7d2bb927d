package planfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"ralph/internal/plan"
)

// Whatever is written, in any order: everything outside what ralph owns stays
// byte for byte, and what is read back is what was written.
func TestWriteKeepsAll(t *testing.T) {
	t.Parallel()
	all := plans(t)
	names := slices.Sorted(maps.Keys(all))
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "file")
		data := rapid.SampledFrom(variants(all[name])).Draw(t, "variant")
		f, err := Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 4).Draw(t, "writes") {
			f = writeOnce(t, name, f)
		}
	})
}

func writeOnce(t *rapid.T, name string, f File) File {
	var changes []Change
	for range rapid.IntRange(0, 6).Draw(t, "changes") {
		changes = append(changes, drawChange(t, f.Plan))
	}
	was := f.Data()
	w := f.Write(changes)
	for _, l := range w.Left {
		if l.Why == Unsafe || l.Message == "" {
			t.Fatalf("%s: %+v left %+v", name, changes, l)
		}
	}
	if got := apply(string(was), w.Edits); got != string(w.Data) {
		t.Fatalf("the edits %+v make %q, and the data is %q", w.Edits, got, w.Data)
	}
	checkOwned(t, f, was, w)
	back, err := Read(name, w.Data)
	if err != nil {
		t.Fatalf("%s after %+v: %v\n%s", name, changes, err, w.Data)
	}
	if diff := differ(back, w.File); diff != "" {
		t.Fatalf("%s: what is read differs from what was given back: %s", name, diff)
	}
	checkSaid(t, f, back, changes, w.Left)
	again := back.Write(withoutSteps(changes))
	if len(again.Edits) > 0 && !slices.ContainsFunc(changes, func(c Change) bool { return c.Again }) && !opposed(changes) {
		t.Fatalf("%s: written again, %+v makes the edits %+v in\n%s", name, changes, again.Edits, w.Data)
	}
	return back
}

var drawnTexts = []string{"Retries are not described", "no retry", "one", "new: with a colon", "it's \"quoted\" # no comment", "two\nlines", "ümläut → \x7f", "", "- [ ] a box", "---"}

func drawChange(t *rapid.T, p plan.Plan) Change {
	task := rapid.SampledFrom(p.Tasks).Draw(t, "task")
	text := rapid.SampledFrom(drawnTexts).Draw(t, "text")
	at := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	switch kind := rapid.SampledFrom([]ChangeKind{SetTask, SetTask, SetTask, SetPlan, AddGap, RemoveGap, AddEdgeCase, RemoveEdgeCase, Reviewed, Tick, AddTodo}).Draw(t, "kind"); kind {
	case SetTask:
		return Change{
			Kind: kind, Task: task.ID, At: at, Again: rapid.Bool().Draw(t, "again"),
			Status:   rapid.SampledFrom([]plan.Status{"", plan.Pending, plan.Ready, plan.Running, plan.Done, plan.Failed, plan.Blocked, plan.Skipped}).Draw(t, "status"),
			Attempts: rapid.IntRange(0, 3).Draw(t, "attempts"), Output: rapid.SampledFrom([]string{"", "out/x.md"}).Draw(t, "output"),
			Error: rapid.SampledFrom([]string{"", "no \"luck\"\n<b>"}).Draw(t, "error"),
		}
	case SetPlan:
		return Change{Kind: kind, Plan: rapid.SampledFrom([]plan.PlanStatus{plan.PlanPending, plan.PlanInProgress}).Draw(t, "plan")}
	case Reviewed:
		return Change{Kind: kind, At: at}
	case Tick:
		steps := []string{text}
		for _, d := range task.Todos {
			steps = append(steps, d.Text)
		}
		return Change{Kind: kind, Task: task.ID, At: at, Text: rapid.SampledFrom(append(steps, task.Criteria...)).Draw(t, "step")}
	case AddTodo:
		return Change{Kind: kind, Task: task.ID, Text: text}
	default:
		return Change{Kind: kind, Text: text}
	}
}

func withoutSteps(all []Change) []Change {
	return slices.DeleteFunc(slices.Clone(all), func(c Change) bool { return c.Kind == AddTodo && c.Text == "" })
}

// opposed: the changes say different things about one thing, so that making them
// twice is not making them once.
func opposed(all []Change) bool {
	seen := map[string]string{}
	for _, c := range all {
		about := c.Task + strings.TrimPrefix(strings.TrimPrefix(string(c.Kind), "add_"), "remove_")
		switch c.Kind {
		case SetTask, SetPlan:
		case Tick, AddTodo:
			about = c.Task + "task"
		default:
			about += c.Text
		}
		is := fmt.Sprint(c.Kind, c.Status, c.Plan)
		if other, ok := seen[about]; ok && other != is {
			return true
		}
		seen[about] = is
	}
	return false
}

// checkOwned looks at what is different: only things that ralph owns.
func checkOwned(t *rapid.T, f File, was []byte, w Written) {
	switch f.Format {
	case Object, PRD, Stories, Features, Taskmaster:
		if a, b := unowned(t, was), unowned(t, w.Data); differ(a, b) != "" {
			t.Fatalf("a field of somebody else changed: %s", differ(a, b))
		}
		return
	}
	for _, e := range w.Edits {
		if e.Length == 1 && len(e.Text) == 1 && was[e.At-1] == '[' && was[e.At+1] == ']' {
			continue
		}
		end := bytes.Index(was, []byte("\n---")) + 1
		if f.Format != Sections || e.At+e.Length > end {
			t.Fatalf("the edit %+v in %s is not ours", e, f.Format)
		}
	}
	if f.Format == Sections {
		if a, b := unownedFront(t, was), unownedFront(t, w.Data); differ(a, b) != "" {
			t.Fatalf("a key of somebody else changed: %s", differ(a, b))
		}
		for _, comment := range []string{"# who may edit this: everybody", "  # pending | in_progress | complete | archived", "         # a key of ours"} {
			if bytes.Contains(was, []byte(comment)) && !bytes.Contains(w.Data, []byte(comment)) {
				t.Fatalf("the comment %q is lost in\n%s", comment, w.Data)
			}
		}
	}
}

// unowned is JSON without the fields that ralph writes.
func unowned(t *rapid.T, data []byte) any {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte(byteOrderMark))))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return stripped(v)
}

func stripped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"status", "passes", "attempts", "output", "error", "completedAt", "todos", "gaps", "edge_cases", "last_review"} {
			delete(v, key)
		}
		for k := range v {
			v[k] = stripped(v[k])
		}
	case []any:
		for i := range v {
			v[i] = stripped(v[i])
		}
	}
	return v
}

func unownedFront(t *rapid.T, data []byte) any {
	_, rest, _ := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n")
	front, _, _ := strings.Cut(rest, "\n---\n")
	v := map[string]any{}
	if err := yaml.Unmarshal([]byte(front), &v); err != nil {
		t.Fatalf("%v in\n%s", err, front)
	}
	for _, key := range []string{"status", gapsKey, edgeCasesKey, "progress", "last_review"} {
		delete(v, key)
	}
	return v
}

// checkSaid compares what is read back with what was written and not left.
func checkSaid(t *rapid.T, was, now File, changes []Change, rest []Left) {
	for i, task := range was.Plan.Tasks {
		want, ticked := task.Status, false
		for _, c := range changes {
			ticked = ticked || c.Kind == Tick && c.Task == task.ID
			over := !want.Open() && (want != plan.Skipped || !task.Optional)
			if c.Kind == SetTask && c.Task == task.ID && c.Status != "" && (!over || c.Again || c.Status == want) {
				want = c.Status
			}
		}
		for _, l := range rest {
			if l.Why == NoPlace && l.Change.Task == task.ID && l.Change.Status == want {
				want = task.Status
			}
		}
		got := now.Plan.Tasks[i].Status
		if heard(now.Format, want, task) != got && (!ticked || now.Format != Tasks) {
			t.Fatalf("%s in %s: %s, want %s (it was %s) after %+v, left %+v\n%s", task.ID, was.Format, got, want, task.Status, changes, rest, now.Data())
		}
	}
	for _, c := range changes {
		left := slices.ContainsFunc(rest, func(l Left) bool { return l.Change.Kind == c.Kind })
		if c.Kind == Reviewed && !left && !strings.HasPrefix(now.Plan.LastReview, "2026-05-06T07:08:09") {
			t.Fatalf("the last review is %q", now.Plan.LastReview)
		}
	}
}

// heard is the status that a format gives back for one that was written.
func heard(f Format, s plan.Status, task plan.Task) plan.Status {
	switch {
	case f == PRD, f == Object && s != plan.Pending:
		return s
	case s == plan.Ready:
		s = plan.Pending
	case f == Taskmaster && s == plan.Failed:
		s = plan.Blocked
	}
	if task.Optional && s == plan.Pending {
		return plan.Skipped
	}
	return s
}
