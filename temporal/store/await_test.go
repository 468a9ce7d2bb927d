//go:build server

package store_test

import (
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/temporal/store"
)

// TestOwnerThatWaits: the heartbeats of an owner tell other processes what it waits for, and that
// it waits no longer; once it has released the run nothing is told. The record does not grow.
func TestOwnerThatWaits(t *testing.T) {
	t.Parallel()
	of := store.Options{Project: project(), Namespace: server.GetDefaultNamespace(), Heartbeat: 3 * time.Second}
	one, err := store.Open(server.GetDefaultClient(), store.Loops(), of)
	ok(t, err)
	t.Cleanup(one.Close)
	other := open(t, store.Loops(), of.Project)
	l, err := one.Create(t.Context(), first("a"), nil)
	ok(t, err)
	told := func(what string) func() bool {
		return func() bool {
			r, err := other.Read(t.Context(), "a")
			ok(t, err)
			all, err := other.Unknown(t.Context(), nothing{})
			ok(t, err)
			return r.Awaits == what && r.Seq == 0 && (len(all) == 0 || all[0].Awaits == what)
		}
	}
	for _, what := range []string{"waits for the remote: away", "", "waits for the shared files: full"} {
		l.Await(what)
		until(t, "it tells "+what, told(what))
	}
	ok(t, l.Release(t.Context()))
	until(t, "the end of the lease", told(""))
}

// nothing is a caller that has no runs.
type nothing struct{}

var _ engine.Known = nothing{}

func (nothing) Archived(string) bool  { return false }
func (nothing) At(string, int64) bool { return false }
