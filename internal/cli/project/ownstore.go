package project

import (
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/next"
)

// ownStore refuses a store that was not made on this machine: it was unpacked or
// copied. It can be read; nothing in it runs.
func (a *Opener) ownStore(p *Project) error {
	if p.copies(a) {
		return nil
	}
	own, err := a.TrustBook().Bind(p.Place.CommonDir, p.Home, p.Recorded())
	if own {
		return nil
	}
	if all, bad := a.trusts(""); bad != nil || all {
		return bad
	}
	foreign := fmt.Errorf("the loops of %s were not made here: it was copied, unpacked or moved to another disk", p.Root())
	return &exit.Error{Code: exit.Usage, Err: errors.Join(err, foreign), Hint: next.Trust("--store") + " adopts them, if you know where they come from; ralph status shows them"}
}

// ForeignStore reports whether the store was not made on this machine.
func (a *Opener) ForeignStore(p *Project) bool {
	return !p.copies(a) && !a.TrustBook().Own(p.Place.CommonDir, p.Home, p.Recorded())
}

// copies reports whether the store has copies of a team's loops: they are made anew from
// the server, and no loop runs on them.
func (p *Project) copies(a *Opener) bool { return p.shared != nil && !a.Drives }
