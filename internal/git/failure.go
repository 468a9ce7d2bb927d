package git

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// LoopTrailer names the loop in every commit of ralph.
const LoopTrailer = "Ralph-Loop"

// Failure names the work that is kept of a loop that did not pass (seed 004).
type Failure struct {
	Loop, Task string
	// Time is the one recorded with the failure, not now: the same call again
	// finds the same branch.
	Time time.Time
	// Commit is a Snapshot whose message carries the LoopTrailer.
	Commit string
}

// FailureRef keeps a failure on wip/ralph-fail-<task>-<yyyymmdd-hhmmss>, with
// -2, -3 … when the name is taken by another loop. It answers the branch. Two
// tasks that end in the same second both keep their work.
func (r *Repo) FailureRef(ctx context.Context, f Failure) (string, error) {
	const most = 100
	base := "wip/ralph-fail-" + ValidRefPart(f.Task) + "-" + f.Time.UTC().Format("20060102-150405")
	for n := 1; n <= most; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		err := r.CreateBranch(ctx, name, f.Commit)
		taken, isTaken := errors.AsType[ErrRefMoved](err)
		if err == nil {
			return name, nil
		}
		if !isTaken {
			return "", fmt.Errorf("keep failed work: %w", err)
		}
		message, err := r.CommitMessage(ctx, taken.Have)
		if err != nil {
			return "", err
		}
		if f.Loop != "" && trailer(message, LoopTrailer) == f.Loop {
			return name, nil
		}
	}
	return "", fmt.Errorf("keep failed work: %d branches named %s exist", most, base)
}
