package planfile

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
)

// numberedBox is "1.2 Text", "1. Text" or, optional, "1.2* Text".
var (
	numberedBox  = lazyregexp.New(`^(\d+(?:\.\d+)*)(\*?)\.?(\*?)[ \t]+(\S.*)$`)
	requirements = lazyregexp.New(`_Requirements?:\s*([^_]*)_`)
	dependsOn    = lazyregexp.New(`_Depends(?: on)?:\s*([^_]*)_`)
	dependsLine  = lazyregexp.New(`(?m)^[ \t]*(?:[-*+][ \t]+)?_Depends(?: on)?:[^_]*_[ \t]*\n?`)
	number       = lazyregexp.New(`\d+(?:\.\d+)*`)
	parallelMark = lazyregexp.New(`\(P\)`)
)

// numberedFormat distinguishes the two formats with numbered boxes: Kiro has
// refs, optional tasks and numbered parents; OpenSpec numbers its headings.
func (d document) numberedFormat(all []box) Format {
	for _, l := range d.lines {
		if !l.code && requirements.MatchString(l.text) {
			return Kiro
		}
	}
	for _, b := range all {
		if m := numberedBox.FindStringSubmatch(b.text); b.starred || m != nil && (!strings.Contains(m[1], ".") || m[2]+m[3] != "") {
			return Kiro
		}
	}
	return OpenSpec
}

// numberedItem is an item with its number; parts are the tasks below it.
type numberedItem struct {
	item
	number, title string
	optional      bool
}

// readNumbered reads the tasks of OpenSpec and Kiro: numbered boxes in the order
// of the file, each waiting for the one before. A box whose number prefixes
// others is their parent and not a task, unless all its parts are optional: then
// no part covers its text. In an OpenSpec file without numbers every box is a
// task.
func (d document) readNumbered(as Format) (File, error) {
	isNumbered := func(b box, _ bool) bool { return numberedBox.MatchString(b.text) }
	all, skipped := items(d.lines, isNumbered)
	if len(all) == 0 {
		f, err := d.readChecklist()
		f.Format = as
		f.Plan.Context = d.beside(as)
		return f, err
	}
	n := numberedReader{ticks: newTicks(d), file: File{Format: as, Warnings: skipped}, parts: map[string]int{}}
	if as == Kiro {
		n.ticks.begun = '-'
	}
	n.file.writer = n.ticks
	n.file.Plan.Title, n.file.Plan.Context = firstTitle(d.lines), d.beside(as)
	n.read(all)
	return n.file, nil
}

// beside returns the documents that these tools keep in the same folder.
func (d document) beside(as Format) []string {
	return map[Format][]string{
		Kiro:     {"requirements.md", "design.md"},
		OpenSpec: {"proposal.md", "design.md"},
		SpecKit:  {"spec.md", "plan.md"},
	}[as]
}

type numberedReader struct {
	ticks *ticks
	file  File
	// parts counts the mandatory boxes below each number.
	parts map[string]int
	// last is the last mandatory task without (P); beside are those with (P) since.
	last   string
	beside []string
}

func (r *numberedReader) read(all []item) {
	numbered := make([]numberedItem, len(all))
	for i, it := range all {
		m := numberedBox.FindStringSubmatch(it.text)
		numbered[i] = numberedItem{item: it, number: m[1], title: m[4], optional: it.starred || m[2]+m[3] != ""}
		for up := parentOf(m[1]); up != "" && !numbered[i].optional; up = parentOf(up) {
			r.parts[up]++
		}
	}
	titles, boxOf := map[string]string{}, map[string]*numberedItem{}
	for i := range numbered {
		it := &numbered[i]
		titles[it.number] = it.title
		if r.parts[it.number] > 0 {
			boxOf[it.number] = it
			continue
		}
		r.task(it, titles[parentOf(it.number)])
	}
	r.close(numbered, boxOf)
}

func parentOf(number string) string {
	if at := strings.LastIndexByte(number, '.'); at > 0 {
		return number[:at]
	}
	return ""
}

// task adds a box as a task. An optional one is skipped unless a user asks for
// it: nothing waits for it.
func (r *numberedReader) task(it *numberedItem, group string) {
	t := plan.Task{
		ID: it.number, Title: strings.TrimSpace(parallelMark.ReplaceAllString(it.title, "")), Text: unindented(it.details),
		Criteria: boxTexts(it.inner), Optional: it.optional, Group: group, Status: done(it.done()), Line: it.n,
	}
	if group == "" {
		t.Group = it.group
	}
	if it.state == r.ticks.begun {
		t.Status = plan.Running
	}
	if t.Optional && t.Status == plan.Pending {
		t.Status = plan.Skipped
	}
	permissionBelow(&t, it.details)
	r.needs(&t, it)
	switch {
	case t.Optional:
	case parallelMark.MatchString(it.title):
		r.beside = append(r.beside, t.ID)
	default:
		r.last, r.beside = t.ID, nil
	}
	r.file.Plan.Tasks = append(r.file.Plan.Tasks, t)
	r.ticks.add([]box{it.box}, it.inner)
}

// needs adds the dependencies that the task states, or the task before it.
func (r *numberedReader) needs(t *plan.Task, it *numberedItem) {
	stated := false
	for _, l := range it.details {
		if m := requirements.FindStringSubmatch(l.text); m != nil {
			for _, ref := range number.FindAllStringSubmatch(m[1], -1) {
				t.Refs = append(t.Refs, ref[0])
			}
		}
		if m := dependsOn.FindStringSubmatch(l.text); m != nil {
			stated = true
			for _, on := range number.FindAllStringSubmatch(m[1], -1) {
				t.Needs = append(t.Needs, plan.Need{On: on[0], Why: plan.Stated})
			}
		}
	}
	waits := r.beside
	if len(waits) == 0 || parallelMark.MatchString(it.title) {
		waits = []string{r.last}
	}
	for _, on := range waits {
		if !stated && on != "" {
			t.Needs = append(t.Needs, plan.Need{On: on, Why: plan.Order})
		}
	}
}

// close links parents to all parts below them.
func (r *numberedReader) close(all []numberedItem, boxOf map[string]*numberedItem) {
	parts := map[string][]int{}
	for i, t := range r.file.Plan.Tasks {
		for up := parentOf(t.ID); up != ""; up = parentOf(up) {
			if _, ok := boxOf[up]; ok {
				parts[up] = append(parts[up], i)
			}
		}
	}
	for _, it := range all {
		if it := boxOf[it.number]; it != nil {
			r.ticks.parents = append(r.ticks.parents, parent{box: it.box, parts: parts[it.number]})
			delete(boxOf, it.number)
		}
	}
}
