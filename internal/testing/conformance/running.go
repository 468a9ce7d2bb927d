package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ralph/internal/proc"
)

// gone is how long the processes of a case may run after ralph has ended.
const gone = 20 * time.Second

// running is ralph at work.
type running struct {
	pidFile string
	cancel  context.CancelFunc
	done    chan struct{}
	out     proc.Output
	err     error
}

// start starts ralph run.
func (s *stage) start(ctx context.Context) *running {
	ctx, cancel := context.WithCancel(ctx)
	r := &running{pidFile: filepath.Join(s.dir, "pid"), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.out, r.err = proc.Run(ctx, proc.Command{
			Argv: append([]string{"sh", "-c", `echo $$ >"$0" && exec "$@"`, r.pidFile, s.program}, s.runArgs()...),
			Dir:  s.repo, Env: s.env, MaxOutput: 8 << 20,
		})
	}()
	return r
}

func (r *running) pid() int {
	data, _ := readFile(r.pidFile)
	n, _ := strconv.Atoi(strings.TrimSpace(data))
	return n
}

// end kills it, if it still runs, and waits.
func (r *running) end() {
	r.cancel()
	<-r.done
}

// until waits for a condition while it runs.
func (r *running) until(ctx context.Context, met func() bool) error {
	for !met() {
		select {
		case <-r.done:
			if r.err != nil {
				return fmt.Errorf("run ralph: %w", r.err)
			}
			return fmt.Errorf("ralph ended early: exit %d: %s%s", r.out.Code, tail(r.out.Stdout), tail(r.out.Stderr))
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}

// over waits until it has ended by itself.
func (r *running) over(ctx context.Context) error {
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return errors.Join(errors.New("ralph does not end"), context.Cause(ctx))
	}
}

func readFile(path string) (string, error) {
	data, err := os.ReadFile(path)
	return string(data), err
}
