// Package shelftest is the contract of a shelf.Shelf, and a shelf in memory for tests.
package shelftest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"ralph/internal/shelf"
)

// ErrLost is the error of a request whose answer was lost.
var ErrLost = errors.New("no answer")

// Memory is a shelf in memory. Its zero value is empty.
type Memory struct {
	mu      sync.Mutex
	version int64
	docs    map[string]shelf.Document
	away    bool
	losing  bool
}

// Away lets all requests fail, without an effect.
func (m *Memory) Away(is bool) { m.mu.Lock(); m.away = is; m.mu.Unlock() }

// LoseNext lets the next put fail although it has its effect.
func (m *Memory) LoseNext() { m.mu.Lock(); m.losing = true; m.mu.Unlock() }

// Read returns all documents.
func (m *Memory) Read(context.Context) (map[string]shelf.Document, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return nil, ErrLost
	}
	return maps.Clone(m.docs), nil
}

// Put replaces the document that has the version.
func (m *Memory) Put(_ context.Context, key string, version int64, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.away:
		return ErrLost
	case m.docs[key].Version != version:
		return shelf.ErrStale
	case m.docs == nil:
		m.docs = map[string]shelf.Document{}
	}
	m.version++
	m.docs[key] = shelf.Document{Version: m.version, Data: slices.Clone(data)}
	if len(data) == 0 {
		delete(m.docs, key)
	}
	if m.losing {
		m.losing = false
		return ErrLost
	}
	return nil
}

// Run holds a shelf to its contract. open returns the same shelf each time, as another
// process has it.
func Run(t *testing.T, open func(*testing.T) shelf.Shelf) {
	ctx, a, b := t.Context(), open(t), open(t)
	if all, err := a.Read(ctx); err != nil || len(all) != 0 {
		t.Fatalf("an empty shelf has %v, %v", all, err)
	}
	put := func(s shelf.Shelf, key string, version int64, data string) error {
		return s.Put(ctx, key, version, []byte(data))
	}
	read := func(key string) shelf.Document {
		t.Helper()
		all, err := b.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return all[key]
	}
	if err := put(a, "k", 1, "x"); !errors.Is(err, shelf.ErrStale) {
		t.Errorf("a version of a missing document: %v", err)
	}
	if err := put(a, "k", 0, "x"); err != nil {
		t.Fatal(err)
	}
	first := read("k")
	if string(first.Data) != "x" || first.Version == 0 {
		t.Errorf("%+v", first)
	}
	if err := put(b, "k", 0, "y"); !errors.Is(err, shelf.ErrStale) {
		t.Errorf("a document that is there is begun again: %v", err)
	}
	if err := errors.Join(put(b, "k", first.Version, ""), put(a, "k", 0, "x")); err != nil {
		t.Errorf("removed and put again: %v", err)
	}
	if err := put(b, "k", first.Version, "z"); !errors.Is(err, shelf.ErrStale) {
		t.Errorf("the version of a removed document: %v", err)
	}
	if err := put(a, "large", 0, string(make([]byte, 1<<20))); err == nil || errors.Is(err, shelf.ErrStale) {
		if _, memory := a.(*Memory); !memory {
			t.Errorf("a large document: %v", err)
		}
	}
	everyChangeCounts(t, a, b)
}

// everyChangeCounts: changes at the same moment have their effect one after the other.
func everyChangeCounts(t *testing.T, of ...shelf.Shelf) {
	var all sync.WaitGroup
	const each = 5
	for _, s := range append(of, of...) {
		all.Go(func() {
			for range each {
				err := shelf.Change(t.Context(), s, "count", func(old []byte) ([]byte, error) {
					n := 0
					_, _ = fmt.Sscan(string(old), &n)
					return []byte(fmt.Sprint(n + 1)), nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	docs, err := of[0].Read(t.Context())
	if want := fmt.Sprint(2 * len(of) * each); err != nil || string(docs["count"].Data) != want {
		t.Errorf("%s, want %s, %v", docs["count"].Data, want, err)
	}
}
