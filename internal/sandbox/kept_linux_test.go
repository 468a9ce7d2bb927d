package sandbox

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"ralph/internal/testing/tier"
)

// The layers of a loop that cannot be seen from here stay while a process holds them,
// and go when none does.
func TestKeptLayers(t *testing.T) {
	t.Parallel()
	gone := filepath.Join(t.TempDir(), "on", "another", "disk")
	var owner Kept
	dir, err := owner.Dir(gone)
	if err != nil {
		t.Fatal(err)
	}
	marker := filepath.Join(dir, "layer")
	if err := os.WriteFile(marker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sweep(filepath.Dir(dir))
	if _, err := os.Stat(marker); err != nil {
		t.Errorf("a living loop lost its layers: %v", err)
	}
	if again, err := owner.Dir(gone); again != dir || err != nil {
		t.Errorf("%s, %v", again, err)
	}
	owner.release(dir)
	tier.Eventually(t, "the layers of a deleted loop go", func() bool {
		sweep(filepath.Dir(dir)) // another sweep may be looking at it just now
		_, err := os.Lstat(dir)
		return os.IsNotExist(err)
	})
	if again, err := owner.Dir(gone); again != dir || err != nil {
		t.Errorf("made again: %s, %v", again, err)
	}
	owner.Drop(gone)
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("dropped layers stayed: %v", err)
	}
}

// Others sweep all the time, while one makes and holds its directory.
func TestKeptBesideSweepers(t *testing.T) {
	t.Parallel()
	root, err := LayerRoot()
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var sweepers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					sweep(root)
				}
			}
		})
	}
	gone := filepath.Join(t.TempDir(), "absent")
	for range 30 {
		var owner Kept
		dir, err := owner.Dir(gone)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "layer"), nil, 0o600)
		}
		if err != nil {
			t.Error(err)
			break
		}
		owner.Drop(gone)
	}
	close(stop)
	sweepers.Wait()
}
