package worker

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/git"
	"ralph/internal/loop"
	secrets "ralph/internal/secret"
	"ralph/internal/text"
)

// mostSearched bounds each of the texts in which secrets are looked for, in bytes.
const mostSearched = 32 << 20

// searched is what was found in the commits from base to tip.
type searched struct {
	base, tip string
	masker    *secrets.Masker

	added           []secrets.Found
	messages, names []string
	cut             bool // not all could be searched
}

// mostRemembered bounds what a search leaves for the next one.
const mostRemembered = 1000

// findSecrets names the secrets in the commits of the loop up to tip, in changes,
// messages, names of people and of files, also those that a later commit removes: a
// merge brings them along. Work of which not all can be searched counts as if it had one.
// notes tell of those that the attempt before did not have.
func (w *Worker) findSecrets(ctx context.Context, s loop.State, tip string) (found, notes []string, err error) {
	if s.Secrets == loop.SecretsOff {
		return nil, nil, nil
	}
	const mostNotes = 5
	base, err := w.origin(ctx, s)
	if err != nil || tip == base {
		return nil, nil, err
	}
	if found, err = w.secretsBetween(ctx, s, base, tip); err != nil {
		return nil, nil, err
	}
	for _, name := range found {
		if len(notes) < mostNotes && !slices.Contains(earlierSecrets(s), name) {
			notes = append(notes, "adds what looks like a secret: "+name)
		}
	}
	return found, notes, nil
}

// secretsBetween names the secrets in the commits from base to tip.
func (w *Worker) secretsBetween(ctx context.Context, s loop.State, base, tip string) ([]string, error) {
	all, err := w.searchCommits(ctx, base, tip, w.MaskerOf(s))
	if err != nil {
		return nil, err
	}
	found, err := w.newSecrets(ctx, all)
	if err != nil {
		return nil, err
	}
	found = firstOf(slices.Concat(found, all.messages, all.names))
	for i, name := range found {
		found[i] = text.Name(name)
	}
	if all.cut {
		found = append(found, "more than 32 MB of changes, which were not searched")
	}
	return found, nil
}

// searchCommits searches the commits from base to tip. Those that were searched for the
// attempt before are not searched again: a loop of a thousand attempts has as many.
func (w *Worker) searchCommits(ctx context.Context, base, tip string, m *secrets.Masker) (searched, error) {
	all, from := searched{base: base, masker: m}, base
	if before := w.searched; before.base == base && m.Equal(before.masker) {
		if on, err := w.Repo.IsAncestor(ctx, before.tip, tip); err != nil {
			return searched{}, err
		} else if on {
			all, from = before, before.tip
		}
	}
	all.tip = tip
	if from == tip {
		return all, nil
	}
	for _, search := range []func(context.Context, *searched, string) error{
		w.searchChanges, w.searchMessages, w.searchNames,
	} {
		if err := search(ctx, &all, from); err != nil {
			return searched{}, err
		}
	}
	if len(all.added)+len(all.messages)+len(all.names) <= mostRemembered {
		w.searched = all
	}
	return all, nil
}

func (w *Worker) searchChanges(ctx context.Context, all *searched, from string) error {
	patches, cut, err := w.Repo.Patches(ctx, from, all.tip, mostSearched)
	all.added, all.cut = slices.Concat(all.added, all.masker.Added(string(patches))), all.cut || cut
	return err
}

// newSecrets names those that the base did not have.
func (w *Worker) newSecrets(ctx context.Context, all searched) (found []string, err error) {
	if len(all.added) == 0 {
		return nil, nil
	}
	whole, _, err := w.Repo.Diff(ctx, all.base, all.tip, mostSearched)
	for _, f := range all.masker.Introduced(all.added, string(whole)) {
		found = append(found, f.String())
	}
	return found, err
}

func (w *Worker) searchMessages(ctx context.Context, all *searched, from string) error {
	messages, cut, err := w.Repo.Messages(ctx, from, all.tip, mostSearched)
	all.cut, all.messages = all.cut || cut, slices.Clip(all.messages)
	for _, c := range messages {
		for _, part := range [][2]string{{"message", c.Message}, {"author", c.Author}, {"committer", c.Committer}} {
			if part[0] == "committer" && c.Committer == c.Author {
				continue
			}
			for _, kind := range all.masker.Kinds(part[1]) {
				all.messages = append(all.messages, fmt.Sprintf("%s in the %s of commit %s", kind, part[0], git.Short(c.Commit)))
			}
		}
	}
	return err
}

func (w *Worker) searchNames(ctx context.Context, all *searched, from string) error {
	names, cut, err := w.Repo.AddedNames(ctx, from, all.tip, mostSearched)
	all.cut, all.names = all.cut || cut, slices.Clip(all.names)
	for _, name := range names {
		for _, kind := range all.masker.Kinds(name) {
			if line := fmt.Sprintf("%s in the name of file %s", kind, all.masker.Mask(name)); !slices.Contains(all.names, line) {
				all.names = append(all.names, line)
			}
		}
	}
	return err
}

// earlierSecrets are those that the attempt before named.
func earlierSecrets(s loop.State) []string {
	if n := len(s.Recent); n > 1 {
		return s.Recent[n-2].Secrets
	}
	return nil
}
