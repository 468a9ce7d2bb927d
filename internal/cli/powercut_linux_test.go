package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"ralph/internal/testing/powercut"
	"ralph/internal/testing/tier"
)

// TestAPlanWithoutPower takes the power from the disk of a plan at the points at
// which something is recorded, in the plan and in its loops, landings included.
// After the boot git finds nothing broken, and the plan is resumed to its end as
// if nothing had happened. Without RALPH_SOAK few of the points are tried: one early,
// one where an agent's work is in its files only, one at a landing.
func TestAPlanWithoutPower(t *testing.T) {
	t.Parallel()
	whole := newPlanWorld(t)
	whole.toTheEnd(t, 0)
	want := whole.result(t)
	points := []string{"12", "after:agent_ended*1", "after:agent_ended*4", "after:landed*2"}
	if tier.Long() {
		for n := 3; n <= len(whole.points(t)); n++ {
			points = append(points, strconv.Itoa(n))
		}
	}
	for _, at := range points {
		t.Run(at, func(t *testing.T) {
			disk := powercut.New(t)
			w := planWorldAt(t, disk.Dir)
			unix.Sync()
			w.cut(t, at)
			disk.Back(t)
			w.sound(t)
			w.resume(t)
			w.views(t)
			if diff := cmp.Diff(want, w.result(t)); diff != "" {
				t.Errorf("after a power cut at point %s, it is not as without (-want +got):\n%s\n%s", at, diff, w.logs(t))
			}
		})
	}
}

// cut runs the plan until the power is gone.
func (w planWorld) cut(t *testing.T, at string) {
	t.Helper()
	cmd := w.command("run", "plan.json", "--until", "ls *.txt", "--agent-cmd", w.home+"/agent.sh", "--max-iterations", "2")
	passed := filepath.Join(t.TempDir(), "points")
	cmd.Env = append(cmd.Env, "TEST_KILL="+at+" "+passed, "TEST_CUT="+w.home)
	cmd.Dir = w.repo
	out, err := cmd.CombinedOutput()
	exit, _ := errors.AsType[*exec.ExitError](err)
	if exit == nil || exit.ExitCode() != -1 || strings.Contains(string(out), "power cut:") {
		t.Fatalf("the power was not cut: %v\n%s", err, out)
	}
}

// sound: git reads every ref and object of the repository. The lock of a ref, which
// is empty until git writes it, may remain: it is no ref.
func (w planWorld) sound(t *testing.T) {
	t.Helper()
	refs := w.git(t, "for-each-ref")
	if out := w.git(t, "fsck", "--no-dangling", "--no-progress"); strings.Contains(out, "error") || strings.Contains(out, "invalid") {
		t.Errorf("git fsck: %s", out)
	}
	w.git(t, "log", "--all", "--oneline")
	if strings.Contains(refs, "broken") {
		t.Errorf("a ref is broken: %s", refs)
	}
	var empty []string
	_ = filepath.WalkDir(filepath.Join(w.repo, ".git", "refs"), func(path string, d os.DirEntry, err error) error {
		if info, _ := d.Info(); err == nil && d.Type().IsRegular() && info.Size() == 0 && filepath.Ext(path) != ".lock" {
			empty = append(empty, path)
		}
		return nil
	})
	if len(empty) > 0 {
		t.Errorf("refs are empty files: %q", empty)
	}
}

// resume runs the plan to its end; where the power went before it was recorded, it
// is run anew.
func (w planWorld) resume(t *testing.T) {
	t.Helper()
	var said bytes.Buffer
	for _, args := range [][]string{
		{"resume", "plan"},
		{"run", "plan.json", "--until", "ls *.txt", "--agent-cmd", w.home + "/agent.sh", "--max-iterations", "2"},
	} {
		cmd := w.command(args...)
		out, err := cmd.CombinedOutput()
		said.Write(out)
		if exit, _ := errors.AsType[*exec.ExitError](err); exit != nil && exit.ExitCode() == 1 || w.ended() {
			return // one task failed
		}
	}
	t.Fatalf("it does not come to an end:\n%s", said.String())
}

// views: none is an empty file, which a power cut leaves where a name was on the disk
// and its content was not.
func (w planWorld) views(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(w.repo, ".ralph"), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if info, err := d.Info(); err == nil && info.Size() == 0 {
			t.Errorf("%s is empty", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// logs is what ralph recorded of every run.
func (w planWorld) logs(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.repo, ".ralph", "log.jsonl"))
	if err != nil {
		return err.Error()
	}
	return string(data)
}
