package view

import (
	"fmt"
	"strings"

	"ralph/internal/plan"
	"ralph/internal/text"
)

// PlanTree draws a plan as lines, one a task, in turns: every task with those that
// it waits for. It is a list, not a graph: any plan fits in 80 columns and can be
// searched.
func PlanTree(p plan.Plan) string {
	g, err := p.Graph()
	if err != nil {
		return ""
	}
	byID := map[string]plan.Task{}
	for _, t := range p.Tasks {
		byID[t.ID] = t
	}
	var t document
	levels := g.Levels()
	for i, level := range levels {
		for k, id := range level {
			task := byID[id]
			fmt.Fprintf(&t, "%s%s ", rail(i, k, len(levels), len(level)), markOfTask(task.Status))
			t.Line(8, taskLabel(task))
			under := continuation(i, k, len(levels), len(level))
			if len(task.Needs) > 0 {
				t.WriteString(under)
				t.Line(8, "← "+needsList(task.Needs))
			}
			if task.SubPlan != "" {
				t.WriteString(under)
				t.Line(8, "plan "+task.SubPlan)
			}
		}
	}
	return t.String()
}

// rail is the prefix of the first line of a task: the turns are one line down
// the side, of which tasks branch off.
func rail(turn, k, turns, n int) string {
	switch {
	case k == 0:
		return fmt.Sprintf("%3d ", turn+1) + branch(k, n)
	case turn+1 < turns:
		return "  | " + branch(k, n)
	}
	return "    " + branch(k, n)
}

func branch(k, n int) string {
	switch {
	case n == 1:
		return "--"
	case k+1 == n:
		return "`-"
	}
	return "+-"
}

func continuation(turn, k, turns, n int) string {
	down, beside := "    ", "  "
	if turn+1 < turns {
		down = "  | "
	}
	if k+1 < n {
		beside = "| "
	}
	return down + beside + "  "
}

// drawn is the text in the box of a task: for a nested plan with its file.
func boxLabel(t plan.Task) string {
	if t.SubPlan == "" {
		return taskLabel(t)
	}
	return taskLabel(t) + " (plan " + t.SubPlan + ")"
}

// PlanMermaid is the plan as a flowchart.
func PlanMermaid(p plan.Plan) string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	n := taskNumbers(p)
	for i, t := range p.Tasks {
		fmt.Fprintf(&b, "  t%d[\"%s\"]:::%s\n", i+1, mermaidText(boxLabel(t)), t.Status)
	}
	for i, t := range p.Tasks {
		for _, need := range t.Needs {
			arrow := "-->"
			if need.Why != plan.Stated {
				arrow = "-.->"
			}
			fmt.Fprintf(&b, "  t%d %s t%d\n", n[need.On]+1, arrow, i+1)
		}
	}
	b.WriteString("  classDef done fill:#d4f4dd,stroke:#2e7d32\n  classDef running fill:#fff4cc,stroke:#b58900\n" +
		"  classDef failed fill:#fde0e0,stroke:#c62828\n  classDef blocked fill:#fde0e0,stroke:#c62828\n" +
		"  classDef skipped fill:#eeeeee,stroke:#9e9e9e,stroke-dasharray:4\n")
	return b.String()
}

// mermaidText is text between quotes: nothing in it is markup.
func mermaidText(s string) string {
	return strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;", "#", "#35;", "`", "#96;", `\`, "#92;", "&", "#amp;").Replace(text.Line(s))
}

// PlanDot is the plan in the language of Graphviz.
func PlanDot(p plan.Plan) string {
	var b strings.Builder
	b.WriteString("digraph plan {\n  rankdir=TB;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white];\n")
	for _, t := range p.Tasks {
		fmt.Fprintf(&b, "  %s [label=%s%s];\n", dotText(t.ID), dotText(boxLabel(t)), dotColour(t.Status))
	}
	for _, t := range p.Tasks {
		for _, need := range t.Needs {
			style := ""
			if need.Why != plan.Stated {
				style = " [style=dashed]"
			}
			fmt.Fprintf(&b, "  %s -> %s%s;\n", dotText(need.On), dotText(t.ID), style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text.Line(s)) + `"`
}

func dotColour(s plan.Status) string {
	switch s {
	case plan.Done:
		return ", fillcolor=palegreen"
	case plan.Running:
		return ", fillcolor=lightyellow"
	case plan.Failed, plan.Blocked:
		return ", fillcolor=mistyrose"
	case plan.Skipped:
		return ", fillcolor=lightgrey"
	}
	return ""
}

// numbers are the places of tasks in the file, by id.
func taskNumbers(p plan.Plan) map[string]int {
	n := make(map[string]int, len(p.Tasks))
	for i, t := range p.Tasks {
		n[t.ID] = i
	}
	return n
}
