package planfile

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
)

var (
	taskHeading = lazyregexp.New(`^(Task|Iteration)\s+([^:\s][^:]*?):\s*(.*)$`)
	// fileBullet is "- Modify: `path:10-20`"; several paths may follow.
	fileBullet = lazyregexp.New("^\\s*[-*+]\\s+(Create|Modify|Test|Delete|Move|Rename):?\\s*(`.*)$")
	// fileLabel is "**Files:** Create: path, other; Modify: third", all in one line.
	fileLabel = lazyregexp.New(`^\s*\*\*Files?:\*\*\s+(\S.*)$`)
	fileVerb  = lazyregexp.New(`^(?i)(Create|Modify|Test|Delete|Move|Rename):\s*`)
	codeSpan  = lazyregexp.New("`([^`]+)`")
	lineRange = lazyregexp.New(`:\d+(?:-\d+)?$`)
	bullet    = lazyregexp.New("^\\s*[-*+]\\s+(?:\\[[ xX]\\]\\s+)?`([^`]+)`")
)

// isTask reports whether a line is the heading of a task, of level 2 or 3.
func isTask(l line) bool {
	return (l.heading == 2 || l.heading == 3) && taskHeading.MatchString(l.title)
}

// readTasks reads "### Task N: title" plans. A task ends at the next one, or at
// a heading above it; its boxes are its steps, and it is done when all are. It
// waits for those that its line "**Dependencies:**" names; without that line,
// for the one before.
func (d document) readTasks() (File, error) {
	ticks := newTicks(d)
	f := File{Format: Tasks, writer: ticks}
	f.Plan.Title, f.Plan.Commands = firstTitle(d.lines), validation(d.lines)
	f.Plan.Constraints = preamble(withoutValidation(d.lines), isTask)
	var dependsText []string
	named := map[string]string{} // the number, the id
	for i, l := range d.lines {
		if !isTask(l) {
			continue
		}
		steps := d.lines[i+1 : endOfTask(d.lines, i)]
		m := taskHeading.FindStringSubmatch(l.title)
		all := boxes(steps)
		t := plan.Task{
			ID: taskID(m[1], m[2]), Title: m[3], Text: body(steps), Todos: todosOf(all), Status: done(ticked(all)), Line: l.n,
		}
		created := ""
		t.Files, created = files(steps)
		depends, ok := takeLabels(&t, steps)
		f.warnOfLabels(steps)
		if t.Kind == plan.KindText && t.Output == "" {
			t.Output = created
		}
		if !ok {
			depends = notStated
		}
		dependsText, named[strings.ToLower(m[2])] = append(dependsText, depends), t.ID
		f.Plan.Tasks = append(f.Plan.Tasks, t)
		ticks.add(all, nil)
	}
	for i := range f.Plan.Tasks {
		f.depends(i, d.lines, dependsText[i], named)
	}
	return f, nil
}

// notStated cannot be a line of a file: it is a line break.
const notStated = "\n"

// endOfTask returns the index after the last line of the task at line i.
func endOfTask(lines []line, i int) int {
	level := max(lines[i].heading-1, 2)
	end := i + 1
	for end < len(lines) && !isTask(lines[end]) && (lines[end].heading == 0 || lines[end].heading > level) {
		end++
	}
	return end
}

// depends adds the dependencies of a task.
func (f *File) depends(i int, lines []line, dependsText string, named map[string]string) {
	t := &f.Plan.Tasks[i]
	all := numbers(dependsText)
	switch {
	case len(all) > 0:
		for _, n := range all {
			id, ok := named[strings.ToLower(n)]
			if !ok {
				id = taskID("task", n)
			}
			t.Needs = append(t.Needs, plan.Need{On: id, Why: plan.Stated})
		}
		return
	case dependsText != notStated && nothing(dependsText):
		return
	case dependsText != notStated:
		at := labelLine(lines, t.Line, 0, fieldNames(plan.UnknownNeed), dependsText)
		f.warn(at, "the dependencies of task %s are not understood: %s", t.ID, quote(dependsText))
	}
	if i > 0 {
		t.Needs = []plan.Need{{On: f.Plan.Tasks[i-1].ID, Why: plan.Order}}
	}
}

func todosOf(all []box) (out []plan.Todo) {
	for _, b := range all {
		t := plan.Todo{Text: b.text, Status: plan.TodoPending}
		if b.done() {
			t.Status = plan.TodoCompleted
		}
		out = append(out, t)
	}
	return out
}

// taskID returns an id such as "task-2.5".
func taskID(word, number string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.':
			return r
		}
		return '-'
	}, strings.ToLower(number))
	return strings.ToLower(word) + "-" + id
}

// files returns the paths that a task lists as created, changed or tested;
// created is the one to create, if it is a single one.
func files(lines []line) (all []string, created string) {
	makes := 0
	for _, l := range lines {
		if l.code {
			continue
		}
		for _, d := range declared(l.text) {
			all = append(all, d.path)
			if strings.EqualFold(d.verb, "create") {
				created = d.path
				makes++
			}
		}
	}
	if makes != 1 {
		created = ""
	}
	return all, created
}

// declaration is a path and what happens to it.
type declaration struct{ verb, path string }

// declared returns the files that a line names.
func declared(text string) (out []declaration) {
	if m := fileBullet.FindStringSubmatch(text); m != nil {
		for _, path := range spans(m[2]) {
			out = append(out, declaration{m[1], lineRange.ReplaceAllString(path, "")})
		}
		return out
	}
	m := fileLabel.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	verb := ""
	for _, piece := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ';' }) {
		piece = strings.TrimSpace(piece)
		if v := fileVerb.FindStringSubmatch(piece); v != nil {
			verb, piece = v[1], piece[len(v[0]):]
		}
		// Prose about files is not a path.
		if path := lineRange.ReplaceAllString(bare(piece), ""); path != "" && !strings.ContainsAny(path, " \t`*()") {
			out = append(out, declaration{verb, path})
		}
	}
	return out
}

// isValidation reports whether a line is the heading of the commands that prove
// the whole plan.
func isValidation(l line) bool {
	return l.heading > 0 && strings.EqualFold(l.title, "Validation Commands")
}

// validation returns the commands of "## Validation Commands".
func validation(lines []line) []string {
	var out []string
	inside := false
	for _, l := range lines {
		if l.heading > 0 {
			inside = isValidation(l)
			continue
		}
		if inside && !l.code {
			if m := bullet.FindStringSubmatch(l.text); m != nil {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// withoutValidation removes that heading and its lines.
func withoutValidation(lines []line) []line {
	var out []line
	inside := false
	for _, l := range lines {
		if l.heading > 0 {
			inside = isValidation(l)
		}
		if !inside {
			out = append(out, l)
		}
	}
	return out
}
