package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// marked counts the processes that carry a mark in their environment.
func marked(t *testing.T, mark string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if text, _ := os.ReadFile(path); strings.Contains(string(text), mark) {
			n++
		}
	}
	return n
}

// Whatever a probed program does, it leaves no process.
func TestProbeLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script, out string
		code        int
		err         error
	}{
		"answers":         {"echo 1.2.3; echo aside >&2; exit 3", "1.2.3\n", 3, nil},
		"hangs":           {"echo 1; sleep 100; echo 2", "1\n", -1, context.DeadlineExceeded},
		"is deaf":         {"trap '' INT TERM; sleep 100 & sleep 100", "", -1, context.DeadlineExceeded},
		"leaves a daemon": {"setsid sleep 100 & echo 1.2.3", "1.2.3\n", 0, nil},
		"floods":          {"yes | head -c 1000000; echo x >&2", strings.Repeat("y\n", 50), 0, nil},
		"is stopped":      {"sleep 100", "", -1, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			dir := t.TempDir()
			mark := "PROBED=" + dir
			p := Probe{Argv: []string{"sh", "-c", tt.script}, Dir: dir, Env: append(os.Environ(), mark), MaxOutput: 100}
			switch {
			case errors.Is(tt.err, context.DeadlineExceeded):
				p.Limit = 2 * time.Second
			case errors.Is(tt.err, context.Canceled):
				time.AfterFunc(100*time.Millisecond, cancel)
			}
			out, err := p.Ask(ctx)
			if !errors.Is(err, tt.err) || (tt.err == nil) != (err == nil) {
				t.Errorf("got %v, want %v", err, tt.err)
			}
			if string(out.Stdout) != tt.out || out.Code != tt.code && tt.err == nil {
				t.Errorf("it answered %q with exit code %d", out.Stdout, out.Code)
			}
			if n := marked(t, mark); n != 0 {
				t.Errorf("%d processes are left", n)
			}
		})
	}
	if _, err := (Probe{Argv: []string{"/nowhere/x"}, Dir: "/"}).Ask(t.Context()); err == nil {
		t.Error("a program that is not there has answered")
	}
}
