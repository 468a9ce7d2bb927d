package entity

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestShelf: whatever is put in whatever order, a document changes only under its newest
// version, no version comes twice, also not of a document that was removed in between, and
// the documents never take more than they may.
func TestShelf(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		var s Shelf
		known, seen := map[string]Document{}, map[int64]bool{}
		for step := range 300 {
			p := Put{Key: fmt.Sprint("key-", r.IntN(12))}
			if p.Version = known[p.Key].Version; r.IntN(4) == 0 {
				p.Version = r.Int64N(s.Version + 2)
			}
			if r.IntN(5) > 0 {
				p.Data = []byte(strings.Repeat("x", 1+r.IntN(MaxDocument)))
			}
			want, size := "", len(p.Key)+len(p.Data)
			for key, d := range known {
				if key != p.Key {
					size += len(key) + len(d.Data)
				}
			}
			switch {
			case p.Version != known[p.Key].Version:
				want = Stale
			case len(p.Data) > 0 && size > MaxDocuments:
				want = Large
			}
			err := s.mayPut(p)
			refused(t, fmt.Sprintf("seed %d, step %d", seed, step), err, want)
			if err != nil {
				continue
			}
			s.put(p)
			if delete(known, p.Key); len(p.Data) > 0 {
				known[p.Key] = Document{s.Version, p.Data}
			}
			if seen[s.Version] {
				t.Fatalf("seed %d, step %d: version %d comes twice", seed, step, s.Version)
			}
			seen[s.Version] = true
			if got := s.Documents[p.Key]; got.Version != known[p.Key].Version || string(got.Data) != string(p.Data) || len(s.Documents) != len(known) {
				t.Fatalf("seed %d, step %d: %d documents, %s has version %d", seed, step, len(s.Documents), p.Key, got.Version)
			}
		}
	}
	for name, p := range map[string]Put{"data": {Key: "a", Data: make([]byte, MaxDocument+1)}, "key": {Key: strings.Repeat("k", maxKey+1), Data: []byte("x")}} {
		refused(t, name, new(Shelf).mayPut(p), Large)
	}
	refused(t, "no key", new(Shelf).mayPut(Put{Data: []byte("x")}), Invalid)
}
