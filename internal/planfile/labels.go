package planfile

import (
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// label matches a line such as "**Agent:** claude" within a task.
var label = lazyregexp.New(`^\s*(?:[-*+]\s+)?\*\*([A-Za-z ]+?)(?::\*\*|\*\*:)\s*(.*)$`)

var (
	plainBullet = lazyregexp.New(`^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[.\]\s+)?(.*)$`)
	// taskNumbers matches numbers of tasks and ranges of them.
	taskNumbers = lazyregexp.New(`(?i)\b(?:tasks?|iterations?)\s+(\d[\w.]*)(?:\s*[-–]\s*(\d+))?|(?:,|&|\band)\s*(\d[\w.]*)(?:\s*[-–]\s*(\d+))?`)
)

// takeLabels reads the labelled lines of a task. depends is its line about
// dependencies; stated reports whether there is one.
func takeLabels(t *plan.Task, lines []line) (depends string, stated bool) {
	criteria := false
	for _, l := range lines {
		if l.code {
			continue
		}
		var m []string
		if strings.Contains(l.text, "**") {
			m = label.FindStringSubmatch(l.text)
		}
		if m == nil {
			if b := plainBulletOf(l, criteria); b != nil {
				t.Criteria = append(t.Criteria, strings.TrimSpace(b[1]))
			} else if l.text != "" || len(t.Criteria) > 0 {
				criteria = false // a blank line may stand before the list, and ends it
			}
			continue
		}
		value := strings.TrimSpace(m[2])
		criteria = false
		switch strings.ToLower(m[1]) {
		case "dependencies", "depends on", "depends", "dependency":
			depends, stated = value, true
		case "agent":
			t.Agent = bare(value)
		case "kind", "proof", "may change", "runs on":
			takePermission(t, m[1], value)
		case "plan", "sub plan":
			t.SubPlan = bare(value)
		case "output":
			t.Output = bare(value)
		case "phase":
			t.Phase, _ = strconv.Atoi(value)
		case "verify", "verification", "validation", "validation commands":
			t.Commands = append(t.Commands, spans(value)...)
		case "acceptance criteria", "success criteria":
			criteria = true
		}
	}
	return depends, stated
}

// labels are the names of the labelled lines of a task.
func labels() []string {
	return []string{
		"dependencies", "depends on", "depends", "dependency", "agent", "kind", "proof", "may change", "runs on", "plan", "sub plan", "output", "phase",
		"verify", "verification", "validation", "validation commands", "acceptance criteria", "success criteria",
	}
}

// warnOfLabels names labelled lines that are not read: a misspelt one, and a check without a
// command.
func (f *File) warnOfLabels(lines []line) {
	for _, l := range lines {
		if l.code || !strings.Contains(l.text, "**") {
			continue
		}
		m := label.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		name, value := strings.ToLower(m[1]), strings.TrimSpace(m[2])
		meant := text.Nearest(name, labels())
		check := strings.HasPrefix(meant, "verif") || strings.HasPrefix(meant, "validation")
		switch {
		case meant != "" && meant != name:
			f.warn(l.n, "%s is not read; did you mean %s?", quote(m[1]), quote(strings.ToUpper(meant[:1])+meant[1:]))
		case check && value != "" && len(spans(value)) == 0:
			f.warn(l.n, "%s names no command in `backticks`, so nothing checks it", quote(m[1]))
		}
	}
}

// plainBulletOf matches a bullet, if asked.
func plainBulletOf(l line, asked bool) []string {
	if !asked {
		return nil
	}
	return plainBullet.FindStringSubmatch(l.text)
}

// bare returns a value without the marks of code.
func bare(s string) string { return strings.TrimSpace(strings.Trim(s, "`")) }

// spans returns the code spans of a line.
func spans(s string) (out []string) {
	for _, m := range codeSpan.FindAllStringSubmatch(s, -1) {
		out = append(out, m[1])
	}
	return out
}

// numbers returns the tasks that a line names: "Task 1, Task 2.5",
// "Tasks 1-3 and 5".
func numbers(s string) (out []string) {
	for _, m := range taskNumbers.FindAllStringSubmatch(s, -1) {
		from, to := m[1]+m[3], m[2]+m[4]
		from = strings.TrimRight(from, ".")
		out = append(out, from)
		first, err := strconv.Atoi(from)
		last, parseError := strconv.Atoi(to)
		for n := first + 1; err == nil && parseError == nil && n <= min(last, first+plan.MaxTasks); n++ {
			out = append(out, strconv.Itoa(n))
		}
	}
	return out
}

// nothing reports whether a line about dependencies states that there are none.
func nothing(s string) bool {
	s = strings.ToLower(strings.Trim(s, " .*_`()-–—"))
	return s == "" || strings.HasPrefix(s, "none") || s == "n/a" || s == "no dependencies" || s == "nothing"
}
