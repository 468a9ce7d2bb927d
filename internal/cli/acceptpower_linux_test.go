package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ralph/internal/testing/powercut"
	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
)

// TestAcceptWithoutPower takes the power at the calls of git that accept makes. After
// the boot git finds nothing broken, and the same command completes the merge. Without
// RALPH_SOAK two of the calls are tried.
func TestAcceptWithoutPower(t *testing.T) {
	t.Parallel()
	whole := planWorldAt(t, t.TempDir())
	whole.passed(t)
	if err := whole.accept(t, 0, false, whole.home); err != nil {
		t.Fatal(err)
	}
	want, calls := whole.accepted(t), whole.gitCalls(t)
	if calls < 6 {
		t.Fatalf("only %d calls of git", calls)
	}
	tried := []int{calls / 2, calls - 3}
	if tier.Long() {
		tried = nil
		for n := 1; n <= calls; n++ {
			tried = append(tried, n)
		}
	}
	for _, n := range tried {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(n, after), func(t *testing.T) {
				disk := powercut.New(t)
				w := planWorldAt(t, disk.Dir)
				w.passed(t)
				unix.Sync()
				if err := w.accept(t, n, after, disk.Dir); err == nil {
					t.Fatal("the power was not cut")
				}
				disk.Back(t)
				w.sound(t)
				if err := w.accept(t, 0, false, disk.Dir); err != nil {
					t.Fatal(err)
				}
				w.sound(t)
				if got := w.accepted(t); got != want {
					t.Errorf("it is not as without:\n%s\nwant:\n%s", got, want)
				}
			})
		}
	}
}

// passed runs one loop, called x, until it has passed.
func (w planWorld) passed(t *testing.T) {
	t.Helper()
	cmd := w.command("run", "x", "--loop-id", "x", "--until", "grep -q work a.txt", "--agent-cmd", "mkdir -p d; for n in a d/b d/c; do echo work of $n > $n.txt; done")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// accept merges the loop; the power goes at its nth call of git, if it makes so many.
func (w planWorld) accept(t *testing.T, n int, after bool, dir string) error {
	t.Helper()
	bin := t.TempDir()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	when := ":"
	if after {
		when = `"` + git + `" "$@"`
	}
	script := `#!/bin/sh
echo "$*" >> "` + w.calls() + `"
if test ` + strconv.Itoa(n) + ` -gt 0 && test "$(wc -l < "` + w.calls() + `")" -ge ` + strconv.Itoa(n) + ` && mkdir "` + w.calls() + `.cut" 2>/dev/null; then
	` + when + `
	sync_names=$(mktemp -p "` + dir + `") && sync "$sync_names"
	ralph power-cut "` + dir + `"
	exit 128
fi
exec "` + git + `" "$@"
`
	_ = os.Remove(w.calls())
	if err := runnable.Write(filepath.Join(bin, "git"), script); err != nil {
		t.Fatal(err)
	}
	cmd := w.command("accept", "x", "--yes")
	cmd.Env = append(cmd.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("accept: %w\n%s", err, out)
	}
	return nil
}

func (w planWorld) calls() string { return w.home + "-git-calls" }

func (w planWorld) gitCalls(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile(w.calls())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(data), "\n")
}

// accepted is what the user has afterwards.
func (w planWorld) accepted(t *testing.T) string {
	t.Helper()
	return w.git(t, "log", "--format=%s", "--first-parent", "main") + w.git(t, "status", "--porcelain") +
		w.git(t, "grep", "-e", ".", "main", "--") + w.git(t, "for-each-ref", "--format=%(refname)", "refs/heads")
}
