package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// TestKilled: a git that was killed, or that lacked something, says nothing about the
// repository; one that only reads is asked again.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want loop.Cause
	}{
		{&CommandError{Args: []string{"checkout"}, Code: -1}, loop.CauseSignal},
		{&CommandError{Args: []string{"worktree"}, Code: 137}, loop.CauseSignal},
		{&CommandError{Args: []string{"worktree"}, Code: 128, Stderr: "error: git died of signal 9"}, loop.CauseSignal},
		{&CommandError{Args: []string{"add"}, Code: 128, Stderr: "fatal: write error: No space left on device"}, loop.CauseLack},
		{&CommandError{Args: []string{"add"}, Code: 128, Stderr: "fatal: pathspec 'x' did not match any files"}, loop.CauseItself},
		{&CommandError{Args: []string{"merge-base"}, Code: 1}, loop.CauseItself},
		{errors.New("other"), loop.CauseItself},
	} {
		if got := proc.CauseOf(fmt.Errorf("wrapped: %w", tt.err)); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.err, got, tt.want)
		}
	}
	for command, want := range map[string]int{"rev-parse": readRetries + 1, "update-ref": 1} {
		dir := t.TempDir()
		script := "#!/bin/sh\necho x >>" + dir + "/runs\nkill -9 $$\n"
		program := filepath.Join(dir, "git")
		if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		r := &Repo{program: program}
		_, err := r.start(t.Context(), call{place: place{gitDir: dir}, args: []string{command}}, nil)
		runs, _ := os.ReadFile(filepath.Join(dir, "runs"))
		if got := strings.Count(string(runs), "x"); got != want || proc.CauseOf(err) != loop.CauseSignal {
			t.Errorf("%s ran %s times, %v", command, strconv.Itoa(got), err)
		}
	}
}
