package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// errLocked is returned when another process holds the lock.
var errLocked = errors.New("locked by another process")

// waitLock takes a short lock and retries until wait is over. It never blocks
// in the kernel: a stopped holder must not block all others forever.
func waitLock(ctx context.Context, path string, wait time.Duration) (*os.File, error) {
	deadline := time.Now().Add(wait)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		f, err := lockAt(path, 0)
		if !errors.Is(err, errLocked) {
			return f, err
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("wait for %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}
