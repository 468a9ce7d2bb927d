package move

import (
	"cmp"

	"ralph/internal/cli/project"
	"ralph/internal/engine/move"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// result is what programs read of a move.
type result struct {
	Schema    string      `json:"schema"`
	LoopID    string      `json:"loop_id"`
	To        string      `json:"to"`
	Status    loop.Status `json:"status"`
	Reason    loop.Reason `json:"reason"`
	Already   bool        `json:"already"`
	TakenBack bool        `json:"taken_back"`
	KeptOn    string      `json:"kept_on"`
	Next      string      `json:"next"`
}

func (a *Commands) report(done move.Moved, r request, peer *project.Peer) error {
	home, at := loop.Home{Engine: loop.LocalEngine}, "this machine"
	if r.out {
		home, at = peer.There, peer.There.String()
	}
	s := done.State.Unmoved()
	then := cmp.Or(next.Loop(s, next.Facts{}), next.Show(r.id))
	if there := cmp.Or(r.standing, loop.LocalEngine); !home.Same(loop.Home{Engine: there}) {
		then = next.At(home, then)
	}
	if a.JSON {
		return a.Object(result{"ralph.move/v1", r.id, home.Engine, s.Status, s.Reason, done.Already, done.TakenBack, done.Kept, then})
	}
	if done.Kept != "" {
		a.Say("what was not committed stays here, on branch %s", done.Kept)
	}
	switch {
	case done.TakenBack:
		a.Say("%s stays on this machine: its move to %s had not arrived, and is taken back", r.id, peer.There)
	case done.Already:
		a.Say("%s is on %s already", r.id, at)
	default:
		a.Say("%s moved to %s: %s", r.id, at, s.Status)
	}
	a.Say("  next: %s", then)
	return nil
}
