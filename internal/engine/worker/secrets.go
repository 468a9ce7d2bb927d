package worker

import (
	"cmp"
	"context"
	"slices"

	"ralph/internal/loop"
)

// findSecrets names the secrets in the commits of the loop, also those that a later
// commit removes: a merge brings them along. Work of which not all can be searched
// counts as if it had one.
func (w *Worker) findSecrets(ctx context.Context, s loop.State, done *loop.Committed) error {
	if s.Secrets == loop.SecretsOff || done.Commit == s.Base {
		return nil
	}
	const mostBytes, mostNamed, mostNotes = 32 << 20, 20, 5
	base := cmp.Or(s.Origin, s.Base)
	patches, cut, err := w.Repo.Patches(ctx, base, done.Commit, mostBytes)
	if err != nil {
		return err
	}
	whole, _, err := w.Repo.Diff(ctx, base, done.Commit, mostBytes)
	if err != nil {
		return err
	}
	found := w.redactGate(s, loop.Gate{}).Added(string(patches), string(whole))
	for _, f := range found[:min(len(found), mostNamed)] {
		done.Secrets = append(done.Secrets, f.String())
	}
	if cut {
		done.Secrets = append(done.Secrets, "more than 32 MB of changes, which were not searched")
	}
	for _, name := range done.Secrets {
		if len(done.Notes) < mostNotes && !slices.Contains(earlierSecrets(s), name) {
			done.Notes = append(done.Notes, "adds what looks like a secret: "+name)
		}
	}
	return nil
}

// earlierSecrets are those that the attempt before named.
func earlierSecrets(s loop.State) []string {
	if n := len(s.Recent); n > 1 {
		return s.Recent[n-2].Secrets
	}
	return nil
}
