package sandbox

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"ralph/internal/sandbox/room"
	"ralph/internal/testing/tier"
)

// TestRoomsAfterAKill: the next trial removes what a killed one left, and nothing of its own stays.
func TestRoomsAfterAKill(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	left := filepath.Join(root, "ralph-"+trialDir+"-1-left")
	if err := os.MkdirAll(filepath.Join(left, "scratch"), 0o700); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Minute)
	if err := os.Chtimes(left, past, past); err != nil {
		t.Fatal(err)
	}
	(&Capabilities{Env: os.Environ()}).Rooms(t.Context(), root)
	if names, err := os.ReadDir(root); err != nil || len(names) > 0 {
		t.Errorf("%v stayed (%v)", names, err)
	}
}

// TestRoomsAtOnce: programs of a loop that start at the same moment share the layer of
// its HOME.
func TestRoomsAtOnce(t *testing.T) {
	t.Parallel()
	root, err := LayerRoot()
	if err != nil {
		t.Fatal(err)
	}
	k := &Capabilities{Env: os.Environ()}
	if r := k.Rooms(t.Context(), root); r.Kind == "" || !r.Layered() || !r.Disk {
		tier.SkipLacking(t, "overlay mounts", r.Why)
	}
	keep, err := os.MkdirTemp(root, ".test-") //nolint:usetesting // layers need a folder of this root
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { room.RemoveAll(keep) })
	lower := t.TempDir()
	spec := room.Spec{}.With(room.Mount{Kind: room.Overlay, At: lower, From: []string{lower}, Upper: filepath.Join(keep, "home")})
	if err := os.Mkdir(filepath.Join(keep, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 8 {
				if why := k.tryView(t.Context(), spec, []string{"true"}); why != "" {
					t.Error(why)
				}
			}
		})
	}
	all.Wait()
}
