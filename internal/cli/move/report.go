package move

import (
	"cmp"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
)

// result is what programs read of a move.
type result struct {
	Schema    string      `json:"schema"`
	LoopID    string      `json:"loop_id,omitempty"`
	PlanID    string      `json:"plan_id,omitempty"`
	To        string      `json:"to"`
	Status    loop.Status `json:"status"`
	Reason    loop.Reason `json:"reason"`
	Already   bool        `json:"already"`
	TakenBack bool        `json:"taken_back"`
	KeptOn    string      `json:"kept_on"`
	Next      string      `json:"next"`
}

// outcome is what came of a move, of a loop or a plan.
type outcome struct {
	status loop.Status
	reason loop.Reason
	// next is the command to type where the run is; empty is none.
	next               string
	already, takenBack bool
	// kept are the branches with what was not committed.
	kept []string
}

func (a *Commands) report(done outcome, r request, there loop.Home) error {
	home, at := loop.Home{Engine: loop.LocalEngine}, "this machine"
	if r.out {
		home, at = there, there.String()
	}
	then := cmp.Or(done.next, next.Show(r.id))
	if standing := cmp.Or(r.standing, loop.LocalEngine); !home.Same(loop.Home{Engine: standing}) {
		then = next.At(home, then)
	}
	if a.JSON {
		out := result{Schema: "ralph.move/v1", To: home.Engine, Status: done.status, Reason: done.reason, Already: done.already, TakenBack: done.takenBack, KeptOn: strings.Join(done.kept, " "), Next: then}
		if out.LoopID = r.id; r.plan {
			out.LoopID, out.PlanID = "", r.id
		}
		return a.Object(out)
	}
	for _, branch := range done.kept {
		a.Say("what was not committed stays here, on branch %s", branch)
	}
	switch {
	case done.takenBack && r.abandonClone:
		a.Say("%s continues on %s as it was before it moved to a clone; what was done in the clone is lost", r.id, at)
	case done.takenBack && r.abandon:
		a.Say("%s continues on this machine as it was before it moved to %s; what was done there is not here", r.id, there)
	case done.takenBack:
		a.Say("%s stays on this machine: its move to %s had not arrived, and is taken back", r.id, there)
	case done.already:
		a.Say("%s is on %s already", r.id, at)
	default:
		a.Say("%s moved to %s: %s", r.id, at, done.status)
	}
	a.Say("  next: %s", then)
	return nil
}
