package planner

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// outputFile is where the answer of a text task is committed: the path that the
// plan names, the only file that the task declares, or one below docs. Of tasks
// whose ids look alike there, the first of the file has the plain name.
func outputFile(planID string, p plan.Plan, t plan.Task) string {
	if name := product(t.Output); name != "" {
		return name
	}
	if len(t.Files) == 1 && !strings.ContainsAny(t.Files[0], "*?[{") {
		if name := product(t.Files[0]); name != "" {
			return name
		}
	}
	return "docs/" + planID + "/" + fileName(p, t.ID) + ".md"
}

// product is the path of a file that an agent may make, cleaned; "" is none.
func product(name string) string {
	clean := path.Clean(strings.ReplaceAll(name, "\\", "/"))
	if strings.HasSuffix(name, "/") || path.IsAbs(clean) || strings.HasPrefix(clean, ".") {
		return ""
	}
	return clean
}

func fileName(p plan.Plan, id string) string {
	name := slug(id, 40)
	for _, o := range p.Tasks {
		switch {
		case o.ID == id:
			return name
		case slug(o.ID, 40) == name:
			return name + "-" + digestOf(id)[:6]
		}
	}
	return name
}

// textGates judge a task whose product is an answer: it is there and is one
// (seed 002), and reviewers have looked at it. Tests of code say nothing about it.
func textGates(gates []loop.Gate, file string) []loop.Gate {
	gates = slices.DeleteFunc(slices.Clone(gates), func(g loop.Gate) bool { return g.Kind != loop.KindReview && g.Kind != loop.KindHuman })
	return append([]loop.Gate{{
		Name: "answered", Kind: loop.KindAnswer, Level: loop.Hard, Answer: file, Timeout: loop.GateTimeout(loop.KindLint),
	}}, gates...)
}
