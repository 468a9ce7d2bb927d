package git

import (
	"context"
	"errors"
	"strings"
	"time"

	"ralph/internal/proc"
)

// git registers a worktree in several steps, and any other git that looks at
// the list of worktrees in between gives up with exit code 128, before it has
// done anything. Loops that begin at the same moment, in as many processes,
// meet there.
const (
	lookAgainTimes = 50
	lookAgainPause = 20 * time.Millisecond
)

// start runs git with an environment, again while somebody else's worktree is
// half made.
func (r *Repo) start(ctx context.Context, c call, env []string) (out proc.Output, err error) {
	for range lookAgainTimes {
		if out, err = r.once(ctx, c, env); !mayLookAgain(err) {
			break
		}
		select {
		case <-time.After(lookAgainPause):
		case <-ctx.Done():
			return out, err
		}
	}
	return out, err
}

func mayLookAgain(err error) bool {
	e, ok := errors.AsType[*CommandError](err)
	if !ok || e.Code != 128 {
		return false
	}
	return strings.Contains(e.Stderr, "failed to read ") && strings.Contains(e.Stderr, "/commondir") ||
		strings.Contains(e.Stderr, "Invalid path ") && strings.Contains(e.Stderr, "/worktrees/")
}
