//go:build linux || darwin

package proc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Recover finds the result of the run in runDir and ends its remaining processes,
// after its supervisor died or was fenced. Only processes whose identity is
// proved are signalled: the shim by pid and start time under the same boot and
// pid namespace, others by their place below it or by the run's token. It may be
// repeated.
func Recover(ctx context.Context, runDir string) (Left, error) {
	var rec runRecord
	err := readRecord(filepath.Join(runDir, runFile), &rec)
	if errors.Is(err, fs.ErrNotExist) {
		return Left{How: LeftNone}, nil
	}
	if err == nil && (rec.Schema != runSchema || rec.Run == "" || rec.Shim.PID <= 1) {
		err = fmt.Errorf("read %s: not a run record", filepath.Join(runDir, runFile))
	}
	if err != nil {
		return Left{How: LeftLost, Reason: err.Error()}, nil //nolint:nilerr // an unreadable record is a result: lost
	}
	if !rec.Machine.same(thisMachine()) {
		return rec.conclude(runDir, 0, "it ran before a restart, or on another machine"), nil
	}
	ended, err := rec.end(ctx)
	if err != nil {
		return Left{How: LeftLost, Reason: err.Error()}, fmt.Errorf("recover %s: %w", runDir, err)
	}
	return rec.conclude(runDir, ended, "its shim was gone"), nil
}

// conclude prefers the shim's own record.
func (r runRecord) conclude(runDir string, ended int, reason string) Left {
	if rec, err := readExit(runDir, r.Run); err == nil {
		return rec.left()
	}
	if ended > 0 {
		e := Exit{Stopped: true, Reason: reason, Leftovers: ended}
		return Left{How: LeftEnded, Exit: e, Reason: reason}
	}
	return Left{How: LeftLost, Reason: reason}
}

// end ends the shim's tree and returns how many processes it had to end itself.
func (r runRecord) end(ctx context.Context) (int, error) {
	if r.Shim.alive() {
		send(r.Shim, unix.SIGTERM) // the shim's word for: end everything
		send(r.Shim, unix.SIGCONT)
		if err := r.awaitShim(ctx); err != nil {
			return 0, err
		}
	}
	return r.endRest(ctx)
}

// awaitShim waits as long as the shim may need.
func (r runRecord) awaitShim(ctx context.Context) error {
	patience := time.NewTimer(time.Duration(r.GraceNS) + orderTime)
	defer patience.Stop()
	look := time.NewTicker(sweepPause)
	defer look.Stop()
	for r.Shim.alive() {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-patience.C:
			return nil
		case <-look.C:
		}
	}
	return nil
}

// endRest kills what the shim did not: processes below a shim that does not
// follow, the shim itself, and those that carry the token.
func (r runRecord) endRest(ctx context.Context) (int, error) {
	ended := map[identity]bool{}
	limit := time.Now().Add(sweepTime)
	for {
		for _, p := range killAll(r.rest) {
			ended[p.identity] = true
		}
		// A dying process may no longer be below a shim that is gone.
		left := living(ended)
		if len(left) == 0 {
			return len(ended), nil
		}
		if time.Now().After(limit) {
			return len(ended), fmt.Errorf("%d processes cannot be ended, such as %d", len(left), left[0].PID)
		}
		select {
		case <-ctx.Done():
			return len(ended), context.Cause(ctx)
		case <-time.After(sweepPause):
		}
	}
}

// rest lists the shim last, so that its children are stopped while they are still
// known to be its own.
func (r runRecord) rest() []process {
	all := carriers(runVariable + "=" + r.Run)
	for _, p := range all {
		all = append(all, descendants(p.PID, 0)...)
	}
	shim, err := readProcess(r.Shim.PID)
	if err != nil || shim.identity != r.Shim || shim.Zombie {
		return all
	}
	return append(append(all, descendants(shim.PID, 0)...), shim)
}
