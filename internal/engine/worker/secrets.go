package worker

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ralph/internal/loop"
	secrets "ralph/internal/secret"
)

// mostSearched bounds each of the texts in which secrets are looked for, in bytes.
const mostSearched = 32 << 20

// findSecrets names the secrets in the commits of the loop up to tip, in changes,
// messages and names of files, also those that a later commit removes: a merge
// brings them along. Work of which not all can be searched counts as if it had one.
// notes tell of those that the attempt before did not have.
func (w *Worker) findSecrets(ctx context.Context, s loop.State, tip string) (found, notes []string, err error) {
	if s.Secrets == loop.SecretsOff || tip == s.Base {
		return nil, nil, nil
	}
	const mostNamed, mostNotes = 20, 5
	base, masker := cmp.Or(s.Origin, s.Base), w.redactGate(s, loop.Gate{})
	var cut bool
	for _, search := range []func(context.Context, *secrets.Masker, string, string) ([]string, bool, error){
		w.secretsInChanges, w.secretsInMessages, w.secretsInNames,
	} {
		more, part, err := search(ctx, masker, base, tip)
		if err != nil {
			return nil, nil, err
		}
		found, cut = append(found, more...), cut || part
	}
	found = found[:min(len(found), mostNamed)]
	if cut {
		found = append(found, "more than 32 MB of changes, which were not searched")
	}
	for _, name := range found {
		if len(notes) < mostNotes && !slices.Contains(earlierSecrets(s), name) {
			notes = append(notes, "adds what looks like a secret: "+name)
		}
	}
	return found, notes, nil
}

func (w *Worker) secretsInChanges(ctx context.Context, m *secrets.Masker, base, tip string) (found []string, cut bool, err error) {
	patches, cut, err := w.Repo.Patches(ctx, base, tip, mostSearched)
	if err != nil {
		return nil, cut, err
	}
	whole, _, err := w.Repo.Diff(ctx, base, tip, mostSearched)
	for _, f := range m.Added(string(patches), string(whole)) {
		found = append(found, f.String())
	}
	return found, cut, err
}

func (w *Worker) secretsInMessages(ctx context.Context, m *secrets.Masker, base, tip string) (found []string, cut bool, err error) {
	messages, cut, err := w.Repo.Messages(ctx, base, tip, mostSearched)
	for _, c := range messages {
		for _, kind := range m.Kinds(c.Message) {
			found = append(found, fmt.Sprintf("%s in the message of commit %s", kind, shortID(c.Commit)))
		}
	}
	return found, cut, err
}

func (w *Worker) secretsInNames(ctx context.Context, m *secrets.Masker, base, tip string) (found []string, cut bool, err error) {
	names, cut, err := w.Repo.AddedNames(ctx, base, tip, mostSearched)
	for _, name := range names {
		for _, kind := range m.Kinds(name) {
			found = append(found, fmt.Sprintf("%s in the name of file %s", kind, m.Mask(name)))
		}
	}
	return found, cut, err
}

// earlierSecrets are those that the attempt before named.
func earlierSecrets(s loop.State) []string {
	if n := len(s.Recent); n > 1 {
		return s.Recent[n-2].Secrets
	}
	return nil
}
