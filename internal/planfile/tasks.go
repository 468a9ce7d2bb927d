package planfile

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
)

var (
	taskHeading = lazyregexp.New(`^(Task|Iteration)\s+([^:\s][^:]*?):\s*(.*)$`)
	// fileBullet is "- Modify: `path:10-20`"; several paths may follow.
	fileBullet = lazyregexp.New("^\\s*[-*+]\\s+(?:Create|Modify|Test|Delete|Move|Rename):?\\s*(`.*)$")
	codeSpan   = lazyregexp.New("`([^`]+)`")
	lineRange  = lazyregexp.New(`:\d+(?:-\d+)?$`)
	bullet     = lazyregexp.New("^\\s*[-*+]\\s+(?:\\[[ xX]\\]\\s+)?`([^`]+)`")
)

func isTask(l line) bool { return l.heading == 3 && taskHeading.MatchString(l.title) }

// readTasks reads "### Task N: title" plans. A task ends at the next one, or at
// a heading above it; its boxes are its steps, and it is done when all are.
func readTasks(lines []line) (File, error) {
	f := File{Format: Tasks}
	f.Plan.Title = firstTitle(lines)
	f.Plan.Commands = validation(lines)
	for i, l := range lines {
		if !isTask(l) {
			continue
		}
		end := i + 1
		for end < len(lines) && !isTask(lines[end]) && (lines[end].heading == 0 || lines[end].heading > 2) {
			end++
		}
		m := taskHeading.FindStringSubmatch(l.title)
		steps := lines[i+1 : end]
		f.Plan.Tasks = append(f.Plan.Tasks, plan.Task{
			ID: taskID(m[1], m[2]), Title: m[3], Text: body(steps), Files: files(steps),
			Status: done(ticked(boxes(steps))), Line: l.n,
		})
	}
	inOrder(f.Plan.Tasks)
	return f, nil
}

// taskID is "task-2.5": the word and the number that people use too.
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

// files are the paths that a task lists as created, changed or tested.
func files(lines []line) []string {
	var out []string
	for _, l := range lines {
		if l.code {
			continue
		}
		m := fileBullet.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		for _, path := range codeSpan.FindAllStringSubmatch(m[1], -1) {
			out = append(out, lineRange.ReplaceAllString(path[1], ""))
		}
	}
	return out
}

// validation are the commands of "## Validation Commands".
func validation(lines []line) []string {
	var out []string
	inside := false
	for _, l := range lines {
		if l.heading > 0 {
			inside = strings.EqualFold(l.title, "Validation Commands")
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
