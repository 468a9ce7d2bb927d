package notify

import (
	"context"
	"time"

	"ralph/internal/cli/exit"
)

// sendFor is how long ralph notify send tries.
const sendFor = 30 * time.Second

func (a *Commands) send(ctx context.Context) error {
	if _, _, _, err := a.targets(ctx); err != nil {
		return err
	}
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	n := a.Notifier(p)
	defer n.Box.Close()
	left, err := n.SendAll(ctx, sendFor)
	if err != nil {
		return err
	}
	if err := a.status(ctx); err != nil {
		return err
	}
	if left > 0 {
		return exit.With(exit.Failed)
	}
	return nil
}
