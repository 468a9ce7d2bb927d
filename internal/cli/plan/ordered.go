package plan

import (
	"fmt"

	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// ordered counts the open tasks that wait for another one only because it stands before
// them: a failure or a question of that one holds them too. Sections are worked on one after
// the other in any case.
func ordered(pl plan.Plan) int {
	n := 0
	for _, t := range pl.Open().Tasks {
		if !pl.Sectioned && len(t.Needs) > 0 && byOrder(t.Needs) {
			n++
		}
	}
	return n
}

func byOrder(needs []plan.Need) bool {
	for _, n := range needs {
		if n.Why != plan.Order {
			return false
		}
	}
	return true
}

// orderedWords say what ordered counted, and how a format lets such tasks run side by side.
func orderedWords(n int, f planfile.Format) string {
	waits := "tasks wait"
	if n == 1 {
		waits = "task waits"
	}
	return fmt.Sprintf("%d %s only because of the order of the file; %s", n, waits, besideWords(f))
}

func besideWords(f planfile.Format) string {
	how := map[planfile.Format]string{
		planfile.Tasks:    "**Dependencies:** None",
		planfile.SpecKit:  "[P]",
		planfile.Kiro:     "(P)",
		planfile.OpenSpec: "(P)",
		planfile.Stories:  `"dependsOn"`,
	}[f]
	switch {
	case how == "":
		return "the format " + text.Line(string(f)) + " has no words to let them run side by side"
	case f == planfile.Stories:
		return "write " + how + " into stories to say what they need, and the others run side by side"
	case f == planfile.Tasks:
		return "write " + how + " below a task that needs none"
	}
	return "mark tasks with " + how + " to let them run side by side"
}
