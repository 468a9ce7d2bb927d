package project

import (
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/next"
	"ralph/internal/trust"
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
	switch {
	case errors.Is(err, trust.ErrDamagedName):
		return &exit.Error{Code: exit.Internal, Err: err, Hint: next.Trust("--store") + " names the store again, if the loops in it are yours"}
	case err != nil:
		return unwritable(err)
	}
	if a.TrustBook().Revoked(p.Place.CommonDir, p.Home) {
		revoked := fmt.Errorf("the loops of %s do not run: their permission was taken back with %s", p.Root(), next.Trust("--revoke"))
		return &exit.Error{Code: exit.Usage, Err: revoked, Hint: next.Trust("--store") + " adopts them again; ralph status shows them"}
	}
	foreign := fmt.Errorf("the loops of %s were not made here: it was copied, unpacked or moved to another disk", p.Root())
	return &exit.Error{Code: exit.Usage, Err: foreign, Hint: next.Trust("--store") + " adopts them, if you know where they come from; ralph status shows them"}
}

// unwritable explains why the record of a store could not be written.
func unwritable(err error) error {
	f := exit.Classify(err)
	if f.Hint == "" {
		f = &exit.Error{Code: exit.Config, Err: err, Hint: "let ralph write there, or set XDG_STATE_HOME to a folder that it may write"}
	}
	return f
}

// ForeignReason tells of the loops in a foreign store why they do not run.
func (a *Opener) ForeignReason(p *Project) string {
	if a.TrustBook().Revoked(p.Place.CommonDir, p.Home) {
		return "were revoked with " + next.Trust("--revoke")
	}
	return "were not made here"
}

// ForeignStore reports whether the store was not made on this machine.
func (a *Opener) ForeignStore(p *Project) bool {
	return !p.copies(a) && !a.TrustBook().Own(p.Place.CommonDir, p.Home, p.Recorded())
}

// copies reports whether the store has copies of a team's loops: they are made anew from
// the server, and no loop runs on them.
func (p *Project) copies(a *Opener) bool { return p.shared != nil && !a.IsWorker }
