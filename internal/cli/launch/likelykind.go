package launch

import (
	"fmt"

	"ralph/internal/cli/project"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// SayLikelyKind tells of a task without a kind that a test can hardly fail without its work.
func SayLikelyKind(a *project.Opener, s loop.Spec) {
	if kind := loop.LikelyKind(s.Task.Text); kind != "" && s.Task.Kind == "" && s.Proof == loop.ProofRequired {
		a.Note("the task reads like work of kind %s: if no test can fail without it, add --kind %s", kind, kind)
	}
}

// LikelyKinds tells the same of the tasks of a plan, each with its line.
func LikelyKinds(pl plan.Plan) (out []planfile.Warning) {
	for _, t := range pl.Tasks {
		if kind := t.LikelyKind(); kind != "" {
			out = append(out, planfile.Warning{Line: t.Line, Message: fmt.Sprintf("task %s reads like work of kind %s: if no test can fail without it, add **Kind:** %s", t.ID, kind, kind)})
		}
	}
	return out
}
