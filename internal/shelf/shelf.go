// Package shelf is how the machines of a team share small documents: the health of
// accounts, the budget of a plan. A shelf compares and sets, and decides nothing; what a
// document says is decided by the process that changes it, with the code that decides the
// same on one machine.
//
//	read ▶ decide ▶ put under the version that was read ─┬─ recorded
//	  ▲                                                  └─ stale: another process was faster
//	  └──────────────────────────────────────────────────────┘
//
// An answer may be lost, and the change is then decided again, on a document that has it
// already. So a decision that finds its effect in the document returns the document as it is.
package shelf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// ErrStale is returned when a document has changed since it was read.
var ErrStale = errors.New("the document has changed meanwhile")

// Document is one of a shelf. Versions grow with each change of any document; 0 is that of
// a document that is not there.
type Document struct {
	Version int64
	Data    []byte
}

// Shelf keeps documents by their key.
type Shelf interface {
	// Read returns all documents.
	Read(ctx context.Context) (map[string]Document, error)
	// Put replaces the document of which version is the newest one, or fails with ErrStale.
	// Without data the document is removed.
	Put(ctx context.Context, key string, version int64, data []byte) error
}

// Change replaces a document by what decide makes of it; nil is a document that is not
// there. It repeats until no other process was faster, so decide may be called several times.
func Change(ctx context.Context, s Shelf, key string, decide func(old []byte) ([]byte, error)) error {
	for {
		all, err := s.Read(ctx)
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		old := all[key]
		next, err := decide(old.Data)
		if err != nil || bytes.Equal(next, old.Data) {
			return err
		}
		err = s.Put(ctx, key, old.Version, next)
		if !errors.Is(err, ErrStale) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
