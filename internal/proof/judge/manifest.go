package judge

import (
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// merge returns the edit of a changed manifest, and whether it changed more than
// dependencies.
func (d *Diff) merge(p string, m manifest.Merger) (proof.Edit, bool, error) {
	old, had := d.Before[p]
	now, has := d.After[p]
	switch {
	case !has, had && !proof.IsFile(old), !proof.IsFile(now):
		return d.restored(p), true, nil
	case !had && d.shadowsModule(p):
		return d.restored(p), true, nil
	}
	work, err := d.Content(now.ID)
	if err != nil {
		return proof.Edit{}, false, err
	}
	var base []byte
	if had {
		if base, err = d.Content(old.ID); err != nil {
			return proof.Edit{}, false, err
		}
		base = append([]byte{}, base...) // not nil: the base has it
	}
	merged, same, ok := m(base, work)
	switch {
	case !ok:
		return d.restored(p), true, nil
	case same:
		return proof.Edit{}, false, nil
	}
	return proof.Edit{Path: p, Mode: now.Mode, Data: merged}, true, nil
}
