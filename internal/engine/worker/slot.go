package worker

import (
	"context"
	"strconv"
	"strings"

	"ralph/internal/loop"
)

// Each slot of the machine has a block of ports. They lie below those that Linux (from
// 32768) and the BSDs (from 49152) give to outgoing connections.
const (
	firstPort    = 20000
	portsPerSlot = 20
)

// takeSlot finds out the loop's number on the machine.
func (w *Worker) takeSlot(ctx context.Context) (err error) {
	if w.slot == 0 {
		w.slot, err = w.Trees.Slot(ctx)
	}
	return err
}

// ownMarks returns the variables that name what is the loop's own on the machine: its
// slot, the first port of its block, and a suffix for names of databases.
func (w *Worker) ownMarks(s loop.State) []string {
	own := []string{"RALPH_DB_SUFFIX=" + dbSuffix(s.ID)}
	if w.slot > 0 {
		own = append(own, "RALPH_SLOT="+strconv.Itoa(w.slot), "RALPH_PORT_BASE="+strconv.Itoa(firstPort+portsPerSlot*(w.slot-1)))
	}
	return own
}

// dbSuffix is an id as part of a name that SQL needs no quotes for, short enough for
// PostgreSQL's 63 bytes. The end of an id tells loops of one task apart.
func dbSuffix(id string) string {
	const most = 40
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(id))
	return "_" + name[max(len(name)-most, 0):]
}
