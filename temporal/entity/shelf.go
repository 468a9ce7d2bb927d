package entity

import (
	"go.temporal.io/sdk/workflow"
)

// ShelfName is the name of the workflow that keeps a shelf of documents. The other names are
// those of its update and its query.
const (
	ShelfName      = "ralph.shelf"
	PutUpdate      = "put"
	DocumentsQuery = "documents"
)

// Stale is the type of the refusal where a document has changed since it was read.
const Stale = "stale"

// The bounds of a shelf. All documents together are the input of its next execution.
const (
	MaxDocument  = 32 << 10
	MaxDocuments = MaxState
	maxKey       = 256
)

// Shelf is what the workflow knows: documents, of which it compares the versions and
// understands nothing. Version is that of the newest change: a document that is removed and
// put again has another version than before.
type Shelf struct {
	Version   int64               `json:"version,omitempty"`
	Documents map[string]Document `json:"documents,omitempty"`
}

// Document is one version of one.
type Document struct {
	Version int64  `json:"version"`
	Data    []byte `json:"data"`
}

// Put replaces the document that has the version; 0 is one that is not there. Without data
// the document is removed.
type Put struct {
	Key     string `json:"key"`
	Version int64  `json:"version,omitempty"`
	Data    []byte `json:"data,omitempty"`
}

// Fits refuses what is too large for a shelf, also for an empty one.
func (p Put) Fits() error {
	if len(p.Key) > maxKey || len(p.Data) > MaxDocument {
		return refuse(Large, "a document has a key of %d and %d bytes; at most %d and %d", len(p.Key), len(p.Data), maxKey, MaxDocument)
	}
	return nil
}

// mayPut refuses a change of another version than the newest one.
func (s *Shelf) mayPut(p Put) error {
	switch {
	case p.Key == "":
		return refuse(Invalid, "a document has no key")
	case p.Fits() != nil:
		return p.Fits()
	case s.Documents[p.Key].Version != p.Version:
		return refuse(Stale, "%s has version %d, not %d", p.Key, s.Documents[p.Key].Version, p.Version)
	case len(p.Data) > 0 && s.sizeWith(p) > MaxDocuments:
		return refuse(Large, "the documents would have %d bytes; at most %d", s.sizeWith(p), MaxDocuments)
	}
	return nil
}

func (s *Shelf) sizeWith(p Put) int {
	size := len(p.Key) + len(p.Data)
	for key, d := range s.Documents {
		if key != p.Key {
			size += len(key) + len(d.Data)
		}
	}
	return size
}

func (s *Shelf) put(p Put) {
	s.Version++
	if len(p.Data) == 0 {
		delete(s.Documents, p.Key)
		return
	}
	if s.Documents == nil {
		s.Documents = map[string]Document{}
	}
	s.Documents[p.Key] = Document{s.Version, p.Data}
}

// Shelves keeps the documents of a shelf. It ends never; its history is cut as that of a run.
func Shelves(ctx workflow.Context, s Shelf) error {
	err := handle(ctx, PutUpdate, s.mayPut, func(_ workflow.Context, p Put) (bool, error) {
		err := s.mayPut(p)
		if err == nil {
			s.put(p)
		}
		return err == nil, err
	})
	if err == nil {
		err = workflow.SetQueryHandler(ctx, DocumentsQuery, func() (Shelf, error) { return s, nil })
	}
	if err != nil {
		return err
	}
	return again(ctx, ShelfName, func() any { return s })
}
