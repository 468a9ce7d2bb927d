package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// place is where a git command works. Everything is explicit: a .git file,
// commondir or core.worktree that an agent wrote is never followed.
type place struct {
	gitDir string
	tree   string // work tree; "" where there is none
	index  string // "" means the one in gitDir
	whole  bool   // check out every file, also in a sparse repository
	theirs bool   // the index is the user's: nothing makes it again after a power cut
	reads  bool   // take no lock, not even to refresh the index
	// holds is a file whose lock lasts until git has ended, also where ralph is killed.
	holds *os.File
	// objects is where new objects go; "" means among those of the repository.
	objects string
	// beside is one more folder of objects to read from.
	beside string
	// wary ignores git's caches: they may lie.
	wary bool
}

// call is one run of git.
type call struct {
	place
	args  []string
	stdin []byte
	max   int64
	env   []string
}

// git runs a command and returns its standard output.
func (r *Repo) git(ctx context.Context, p place, args ...string) ([]byte, error) {
	return r.call(ctx, call{place: p, args: args})
}

// feed is git with standard input.
func (r *Repo) feed(ctx context.Context, p place, stdin []byte, args ...string) ([]byte, error) {
	return r.call(ctx, call{place: p, args: args, stdin: stdin})
}

// line is git for commands that print one line.
func (r *Repo) line(ctx context.Context, p place, args ...string) (string, error) {
	out, err := r.git(ctx, p, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

func (r *Repo) call(ctx context.Context, c call) ([]byte, error) {
	out, err := r.callTruncated(ctx, c)
	if err == nil && out.Truncated {
		return nil, fmt.Errorf("git %s: output: %w", c.args[0], ErrTooLarge)
	}
	return out.Stdout, err
}

func (r *Repo) callTruncated(ctx context.Context, c call) (proc.Output, error) {
	drivers, err := r.drivers(ctx, c.gitDir)
	if err != nil {
		return proc.Output{}, err
	}
	if err := r.checkFilters(drivers); err != nil {
		return proc.Output{}, err
	}
	env := append(r.hardened(c.place, drivers), c.env...)
	return r.start(ctx, c, env)
}

// once runs git with an environment and returns its failure as a CommandError.
func (r *Repo) once(ctx context.Context, c call, env []string) (proc.Output, error) {
	dir := c.tree
	if dir == "" {
		dir = c.gitDir
	}
	cmd := proc.Command{Argv: append([]string{r.program, "--no-pager"}, c.args...), Dir: dir, Env: env, MaxOutput: c.max, Holds: c.holds}
	if c.stdin != nil {
		cmd.Stdin = bytes.NewReader(c.stdin)
	}
	locks := r.takes(c)
	out, err := proc.Run(ctx, cmd)
	if out.Code == -1 { // a signal has ended it
		for _, lock := range locks {
			os.Remove(lock)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = r.absent(c, err)
	}
	if err != nil {
		return out, fmt.Errorf("git %s: %w", c.args[0], err)
	}
	if out.Code != 0 {
		return out, &CommandError{Args: c.args, Code: out.Code, Stderr: tail(out.Stderr)}
	}
	return out, nil
}

// absent is the error of a git that could not be started: a *proc.Cut where its program is
// not there, which was when the repository was opened.
func (r *Repo) absent(c call, err error) error {
	if _, gone := os.Stat(r.program); errors.Is(gone, fs.ErrNotExist) {
		return &proc.Cut{What: "run it", How: gone.Error(), Cause: loop.CauseLack}
	}
	return err
}

// exitCode returns git's exit code; -1 when git did not run to its end.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if e, ok := errors.AsType[*CommandError](err); ok && !cutOff(err) {
		return e.Code
	}
	return -1
}

// cutOff reports whether git was killed, or lacked something: its failure says nothing
// about the repository.
func cutOff(err error) bool { return proc.CauseOf(err).Interrupts() }

// tail keeps the end of a message: git's conclusion comes last.
func tail(b []byte) string { return text.Tail(strings.TrimSpace(string(b)), 2000) }

// fields splits NUL-terminated output.
func fields(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// nulls is the reverse: paths for a command that reads them with -z.
func nulls(paths []string) []byte {
	return []byte(strings.Join(paths, "\x00") + "\x00")
}

// git registers a worktree in several steps, and any other git that lists the
// worktrees in between fails with exit code 128, before it has done anything.
// Loops that begin at the same moment, in as many processes, meet there.
const (
	retries    = 50
	retryPause = 20 * time.Millisecond
)

// start runs git with an environment, and again while another process registers a
// worktree.
func (r *Repo) start(ctx context.Context, c call, env []string) (out proc.Output, err error) {
	for n := range retries {
		out, err = r.once(ctx, c, env)
		if !retryable(err) && (n >= readRetries || !killedReading(c, err)) {
			break
		}
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return out, err
		}
	}
	return out, err
}

// readRetries bounds the repetitions of a command that only reads and was killed. One
// that writes is repeated by the step of a loop that it is part of, which heals first.
const readRetries = 2

func killedReading(c call, err error) bool {
	switch c.args[0] {
	case "cat-file", "check-ref-format", "diff", "diff-tree", "for-each-ref", "log", "ls-files", "ls-tree", "merge-base", "rev-list", "rev-parse", "show-ref", "version":
		return proc.CauseOf(err) == loop.CauseSignal
	}
	return false
}

func retryable(err error) bool {
	e, ok := errors.AsType[*CommandError](err)
	if !ok || e.Code != 128 {
		return false
	}
	return strings.Contains(e.Stderr, "failed to read ") && strings.Contains(e.Stderr, "/commondir") ||
		strings.Contains(e.Stderr, "Invalid path ") && strings.Contains(e.Stderr, "/worktrees/")
}
