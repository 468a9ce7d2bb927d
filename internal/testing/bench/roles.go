package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"ralph/internal/loop"
	"ralph/internal/store"
)

// roles are the functions of this program when it starts itself.
func roles() map[string]func(context.Context, []string) error {
	return map[string]func(context.Context, []string) error{
		"role-transitions": roleTransitions,
		"role-append":      roleAppend,
		"role-flood":       roleFlood,
		"role-drain":       roleDrain,
		"role-sleep":       roleSleep,
	}
}

// span is a role's report: when it worked, and how many bytes it wrote.
type span struct {
	begin, end time.Time
	wrote      int64
}

func (s span) report() error {
	_, err := fmt.Fprintln(os.Stdout, s.begin.UnixNano(), s.end.UnixNano(), s.wrote)
	return err
}

func readSpan(line []byte) (s span, err error) {
	var begin, end int64
	if _, err = fmt.Sscan(string(line), &begin, &end, &s.wrote); err != nil {
		return s, fmt.Errorf("read the report %q of a role: %w", line, err)
	}
	s.begin, s.end = time.Unix(0, begin), time.Unix(0, end)
	return s, nil
}

// roleTransitions commits N durable transitions of a loop: DIR ID N [VIEWS].
func roleTransitions(ctx context.Context, args []string) error {
	o := store.Options{Owner: "bench"}
	if len(args) > 3 {
		o.Views = args[3]
	}
	s, err := store.Open(ctx, args[0], o)
	if err != nil {
		return err
	}
	defer s.Close()
	st := loop.New(loop.Spec{
		ID: args[1], Task: loop.Task{ID: "bench", Text: "count"}, Root: "/", Branch: "ralph/" + args[1],
		Gates: []loop.Gate{{Name: "until", Kind: loop.KindCommand, Level: loop.Hard, Run: "true"}},
	}, time.Now().Round(0))
	lease, err := s.Create(ctx, st, store.Admission{})
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	began, before := time.Now(), written()
	for range n {
		st.LastAt = time.Now().Round(0)
		if err := lease.Commit(ctx, st, []loop.Event{loop.Ticked{Stamp: loop.Stamp{At: st.LastAt}}}); err != nil {
			return err
		}
	}
	done := span{began, time.Now(), written() - before}
	return errors.Join(done.report(), lease.Release(ctx), s.ViewError())
}

// written returns the bytes that this process has passed to the kernel; 0 where
// it is unknown.
func written() int64 {
	n, _ := strconv.ParseInt(field("/proc/self/io", "wchar"), 10, 64)
	return n
}

// roleAppend appends and syncs N times SIZE bytes: FILE N SIZE.
func roleAppend(_ context.Context, args []string) error {
	n, err1 := strconv.Atoi(args[1])
	size, err2 := strconv.Atoi(args[2])
	f, err3 := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, size)
	began := time.Now()
	for range n {
		if _, err := f.Write(block); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return span{began, time.Now(), int64(n * size)}.report()
}

// roleFlood writes N bytes of text as fast as it can.
func roleFlood(_ context.Context, args []string) error {
	left, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return err
	}
	block := make([]byte, 64<<10)
	for i := range block {
		block[i] = "a line that an agent wrote, of forty bytes\n"[i%43]
	}
	for left > 0 {
		n, err := os.Stdout.Write(block[:min(left, int64(len(block)))])
		left -= int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// roleDrain reads to the end and discards the data.
func roleDrain(context.Context, []string) error {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	_, err = io.Copy(null, os.Stdin)
	return err
}

// roleSleep is a Go program that waits: DURATION.
func roleSleep(ctx context.Context, args []string) error {
	d, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return nil
}
