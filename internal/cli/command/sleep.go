package command

import (
	"context"
	"time"
)

// Sleep waits for a duration, or until the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
