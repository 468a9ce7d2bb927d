package limits

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"ralph/internal/shelf"
	"ralph/internal/text"
)

// Account is a login whose use a provider counts.
type Account struct {
	// Key is its digest, Label how it is shown.
	Key, Label string
	// Named: a person named the account, so that its key is the same on every machine.
	Named bool
}

// The machines of a team share the trouble of named accounts through a shelf, which is the
// truth as long as it answers; the rows of a book are then copies. While it does not, a book
// decides by itself, and notes what it owes the team.

// standing is what the team knows of a row.
type standing string

const (
	// own is the row of an account that the team does not share, or was not told of yet.
	own standing = ""
	// owed is a change that the team is to be told, and lifted is that the trouble is over.
	owed   standing = "owed"
	lifted standing = "lifted"
	// copied is what the team knows.
	copied standing = "copied"
)

const (
	// teamWait is how long the team is asked before the book decides by itself.
	teamWait = 10 * time.Second
	// mostWords bounds what an agent said.
	mostWords = 1000
)

// Share lets the book share named accounts with those of other machines.
func (b *Book) Share(team shelf.Shelf) { b.team = team }

func (b *Book) shares(account Account) bool { return b.team != nil && account.Named }

// change lets f decide about the trouble of an account (nil is none), with the team where
// that answers.
func (b *Book) change(ctx context.Context, account Account, f func(*Known) *Known) error {
	if b.shares(account) && b.changeShared(ctx, account, f) {
		return nil
	}
	return b.changeRow(ctx, account.Key, func(have row) row {
		next, now := f(have.known()), have.known()
		tell := b.shares(account) || have.team != own
		switch {
		case next == now || next != nil && now != nil && *next == *now:
			return have
		case next == nil && tell:
			return row{Known{Account: account.Key, Label: account.Label, At: b.now()}, lifted}
		case next == nil:
			return row{}
		case tell:
			return row{*next, owed}
		}
		return row{*next, own}
	})
}

// changeShared is change with the team; false: the team does not answer.
func (b *Book) changeShared(ctx context.Context, account Account, f func(*Known) *Known) bool {
	asked, cancel := context.WithTimeout(ctx, teamWait)
	defer cancel()
	found, err := b.rows(ctx, `WHERE account = ?`, account.Key)
	if err != nil {
		return false
	}
	var have row
	if len(found) > 0 {
		have = found[0]
	}
	var next *Known
	err = shelf.Change(asked, b.team, account.Key, func(old []byte) ([]byte, error) {
		theirs, err := decode(old)
		if err != nil {
			return nil, err
		}
		next = f(have.with(theirs))
		return encode(next)
	})
	return err == nil && b.copy(ctx, account.Key, have, next) == nil
}

// copy records what the team knows. A row that another process of this machine has changed meanwhile
// stays, and is told the next time.
func (b *Book) copy(ctx context.Context, account string, have row, known *Known) error {
	next := row{}
	if known != nil {
		next = row{*known, copied}
	}
	if next == have {
		return nil
	}
	return b.changeRow(ctx, account, func(now row) row {
		if now != have {
			return now
		}
		return next
	})
}

// with is what is known with what the team knows. A change that is owed counts where it is
// the later one.
func (r row) with(theirs *Known) *Known {
	switch {
	case r.Account == "" || r.team == copied:
		return theirs
	case r.team == lifted && theirs != nil && theirs.At.After(r.At):
		return theirs
	case r.team == lifted:
		return nil
	case theirs != nil && !r.Until.After(theirs.Until):
		return theirs
	}
	return r.known()
}

func unchanged(k *Known) *Known { return k }

// Refresh tells the team what is owed, and copies what it knows of all accounts.
func (b *Book) Refresh(ctx context.Context) {
	if b.team == nil {
		return
	}
	asked, cancel := context.WithTimeout(ctx, teamWait)
	defer cancel()
	theirs, err := b.team.Read(asked)
	if err != nil {
		return
	}
	ours, _ := b.rows(ctx, `WHERE team <> ?`, own)
	keys := slices.Collect(maps.Keys(theirs))
	for _, r := range ours {
		keys = append(keys, r.Account)
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		b.changeShared(ctx, Account{Key: key, Named: true}, unchanged)
	}
}

func decode(data []byte) (*Known, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var k Known
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fmt.Errorf("read the health of an account: %w", err)
	}
	return &k, nil
}

func encode(k *Known) ([]byte, error) {
	if k == nil {
		return nil, nil
	}
	out := *k
	out.Message, out.Fix = text.Head(out.Message, mostWords), text.Head(out.Fix, mostWords)
	for _, t := range []*time.Time{&out.Until, &out.At, &out.Since, &out.TurnEnds} {
		*t = t.UTC().Round(0)
	}
	return json.Marshal(out)
}
