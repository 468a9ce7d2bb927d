package migrate

import (
	"fmt"
	"slices"
)

// losses collects what is not carried, each thing once.
type losses struct{ all []Loss }

// mostLosses bounds what a hostile file can make us say.
const mostLosses = 40

func (l *losses) add(what, why string, args ...any) {
	loss := Loss{clip(what, 80), clip(fmt.Sprintf(why, args...), 200)}
	switch {
	case slices.Contains(l.all, loss), len(l.all) > mostLosses:
	case len(l.all) == mostLosses:
		l.all = append(l.all, Loss{"…", "and more"})
	default:
		l.all = append(l.all, loss)
	}
}

// noPlace is why most things are lost.
const noPlace = "ralph has no place for it"

// staysThere is what becomes of files that are no loops.
const staysThere = "stays where it is"
