package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ralph/internal/proc"
)

// background is a program that runs while others are measured.
type background struct {
	argv    []string
	pidFile string
	cancel  context.CancelFunc
	over    chan struct{}
	out     proc.Output
	err     error
}

func (b *bench) background(ctx context.Context, name string, c proc.Command) *background {
	ctx, cancel := context.WithCancel(ctx)
	g := &background{argv: c.Argv, pidFile: filepath.Join(b.dir, name+".pid"), cancel: cancel, over: make(chan struct{})}
	go func() {
		defer close(g.over)
		g.out, g.err = proc.Run(ctx, withPID(c, g.pidFile))
	}()
	return g
}

// end kills the program and waits for that.
func (g *background) end() {
	g.cancel()
	<-g.over
}

// until waits for a condition while the program runs.
func (g *background) until(ctx context.Context, met func() bool) error {
	for !met() {
		select {
		case <-g.over:
			early := fmt.Errorf("%q ended early: %s%s", g.argv, tail(g.out.Stdout), tail(g.out.Stderr))
			return errors.Join(early, g.err)
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// cpu is the processor time of all threads so far.
func (g *background) cpu() time.Duration {
	threads, _ := filepath.Glob("/proc/" + oneLine(g.pidFile) + "/task/*/schedstat")
	var sum time.Duration
	for _, t := range threads {
		first, _, _ := strings.Cut(oneLine(t), " ")
		ns, _ := strconv.ParseInt(first, 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}

// withPID makes a command write its process id to a file.
func withPID(c proc.Command, file string) proc.Command {
	c.Argv = append([]string{"sh", "-c", `echo $$ > "$0" && exec "$@"`, file}, c.Argv...)
	return c
}
