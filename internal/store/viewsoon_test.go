//go:build unix

package store

import (
	"sync"
	"testing"
)

// TestFinishViewsBesideCommits: many wait for the views while others change them.
func TestFinishViewsBesideCommits(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir()+"/ralph", Options{Views: t.TempDir()})
	create(t, s, "a")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				s.showSoon("a")
				s.finishViews()
			}
		})
	}
	all.Wait()
}
