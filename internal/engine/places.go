package engine

import (
	"context"
	"errors"
)

// ErrNoPlace is returned where as many loops of the repository run on all workers as may.
var ErrNoPlace = errors.New("no place is free for one more loop")

// Places bounds the loops of a repository that run at once on all workers: each has a
// place under its lease.
type Places interface {
	// Admit gives a loop a place under the lease of an epoch, unless most others have one
	// (ErrNoPlace). A loop that has a place under an older lease keeps it.
	Admit(ctx context.Context, id string, epoch int64, most int) error
	// Leave gives it back, once the lease was released. One that a newer lease has stays.
	Leave(ctx context.Context, id string, epoch int64) error
	// Placed are the loops that have a place. Sweep gives back the places of leases that are
	// over, and whose owners could not do it.
	Placed(ctx context.Context) (ids []string, err error)
	Sweep(ctx context.Context) error
}
