package stored_test

import (
	"context"
	"sync"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/shelf"
)

// forgetful is a shelf on which the first put is repeated, and then refused for what it did itself.
type forgetful struct {
	shelf.Shelf
	once sync.Once
}

func (f *forgetful) Put(ctx context.Context, key string, version int64, data []byte) error {
	err := f.Shelf.Put(ctx, key, version, data)
	f.once.Do(func() { err = shelf.ErrStale })
	return err
}

// TestRaisesAddUp: all who raise a budget at once have their effect, each once, also where the
// answer to one was lost. The first one begins the budget.
func TestRaisesAddUp(t *testing.T) {
	t.Parallel()
	p := newPaid(t)
	docs := &forgetful{Shelf: p.shelves["p"]}
	p.Shelf = func(string) shelf.Shelf { return docs }
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := p.Raise(t.Context(), "p", loop.Raise{Amounts: loop.Amounts{Attempts: 2}, Add: true}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	ok(t, p.Raise(t.Context(), "p", loop.Raise{Amounts: loop.Amounts{Tokens: 5}}))
	b, err := p.Balances(t.Context(), []string{"p"})
	if err != nil || len(b) != 1 || b[0].Limit != (loop.Amounts{Attempts: 16, Tokens: 5}) {
		t.Errorf("%+v, %v", b, err)
	}
}
