package store

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"

	"ralph/internal/shelf"
	"ralph/temporal/entity"
)

// Accounts are the documents about accounts that several machines use.
func (p *Project) Accounts() shelf.Shelf { return documents{p, "ralph/" + p.o.Project + "/accounts"} }

// Budget is the document about the budget of a plan.
func (p *Project) Budget(plan string) shelf.Shelf {
	return documents{p, "ralph/" + p.o.Project + "/budget/" + plan}
}

// documents are those of one workflow, which begins with the first one.
type documents struct {
	p  *Project
	id string
}

// Read returns all documents.
func (d documents) Read(ctx context.Context) (map[string]shelf.Document, error) {
	var now entity.Shelf
	if err := d.p.known(ctx, d.id, entity.DocumentsQuery, &now); err != nil {
		return nil, fmt.Errorf("read what %s has: %w", d.id, silent(err))
	}
	all := make(map[string]shelf.Document, len(now.Documents))
	for key, one := range now.Documents {
		all[key] = shelf.Document(one)
	}
	return all, nil
}

// Put replaces a document. A request whose answer was lost is repeated under its name, so
// that it has its effect once.
func (d documents) Put(ctx context.Context, key string, version int64, data []byte) error {
	put, name := entity.Put{Key: key, Version: version, Data: data}, "put-"+newToken()
	err := put.Fits()
	if err == nil {
		err = d.p.ask(ctx, d.id, entity.ShelfName, entity.Shelf{}, func() error {
			return updateOnce(ctx, d.p.client, d.id, entity.PutUpdate, name, put, nil)
		})
	}
	if refused, ok := errors.AsType[*temporal.ApplicationError](err); ok && refused.Type() == entity.Stale {
		err = fmt.Errorf("%w: %w", shelf.ErrStale, err)
	}
	if err != nil {
		return fmt.Errorf("put %s into %s: %w", key, d.id, silent(err))
	}
	return nil
}
