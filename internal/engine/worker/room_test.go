package worker_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
	"ralph/internal/testing/tier"
)

// leave is a gate that plants something wherever later gates might look, and
// fails where it finds what an earlier one planted. On the base it does nothing.
const leave = `test -e first || exit 1
for f in "$HOME/planted" "$HOME/.config/go/env" "$HOME/.npmrc" ignored/planted planted $SHARED "${TMPDIR:-/tmp}/planted"; do
	test -e "$f" && { echo "found $f"; exit 1; }
	mkdir -p "$(dirname "$f")" && echo x >"$f" || echo "cannot plant $f"
done
git status --porcelain >/dev/null && git rev-parse HEAD >/dev/null && git log -1 >/dev/null || exit 1
test "$(cat ignored/setup)" = setup || { echo "no set-up"; exit 1; }
echo changed >ignored/setup
echo changed >answer.txt.changed
git -c core.hooksPath=/nonexistent update-ref refs/heads/planted HEAD 2>/dev/null
test -e new || exit 1
`

// TestNothingStaysOfAGate: whatever a gate writes, the next one does not find it,
// in layers as in a tree that is made anew.
func TestNothingStaysOfAGate(t *testing.T) {
	t.Parallel()
	kit := &sandbox.Capabilities{Env: os.Environ()}
	for name, k := range map[string]*sandbox.Capabilities{"here": kit, "copy": nil} {
		for _, held := range []loop.Sandbox{loop.SandboxAuto, loop.SandboxLandlock, loop.SandboxOff} {
			if k == nil && held != loop.SandboxOff {
				continue
			}
			t.Run(name+" "+string(held), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, writes("first", "x"), writes("new", "x"))
				if k != nil {
					if _, err := k.Choose(t.Context(), held, false); err != nil {
						tier.SkipLacking(t, string(held), err)
					}
				}
				shared := "/dev/shm/planted-" + rand.Text()
				if k == nil { // which hides no directory
					shared = ""
				}
				b.Confine = worker.Confine{Capabilities: k}
				b.spec.Sandbox, b.spec.Limits.MaxIterations = held, 3
				b.spec.Setup = []string{"mkdir -p ignored && echo setup >ignored/setup"}
				must(t, os.WriteFile(filepath.Join(b.Repo.CommonDir, "info", "exclude"), []byte("ignored/\n"), 0o600))
				b.spec.Gates = []loop.Gate{{Name: "leave", Kind: loop.KindCommand, Level: loop.Hard, Run: leave, Env: map[string]string{"SHARED": shared}}}
				s := b.drive(t)
				if s.Status != loop.StatusPassed || s.Iteration != 2 {
					t.Fatalf("%s/%s after %d: %+v", s.Status, s.Reason, s.Iteration, s.Last().Results)
				}
				room := s.Last().Results[0].Room
				if k == nil && room != loop.RoomCopy || room == loop.RoomTree || room == "" {
					t.Errorf("it ran in %q", room)
				}
				if room == loop.RoomCopy {
					return // where nothing can be mounted, nothing is read-only
				}
				if at, _ := b.Repo.RefCommit(t.Context(), "refs/heads/planted"); at != "" {
					t.Error("a gate made a ref")
				}
				if _, err := os.Lstat(shared); err == nil {
					t.Errorf("a gate wrote %s", shared)
				}
			})
		}
	}
}

// TestRoomOfAReport: what a gate writes in its tree can be judged, although it is
// thrown away.
func TestRoomOfAReport(t *testing.T) {
	t.Parallel()
	b := newBench(t, writes("new", "x"))
	b.Confine = worker.Confine{Capabilities: &sandbox.Capabilities{Env: os.Environ()}}
	least := 50.0
	b.spec.Gates = []loop.Gate{{
		Name: "cover", Kind: loop.KindCoverage, Level: loop.Hard, Threshold: &least, Report: "out/lcov.info",
		Run: `test -e new && mkdir -p out && printf 'SF:a.go\nDA:1,1\nLF:1\nLH:1\nend_of_record\n' >out/lcov.info`,
	}}
	s := b.drive(t)
	if s.Status != loop.StatusPassed {
		t.Fatalf("%s/%s: %+v", s.Status, s.Reason, s.Last().Results)
	}
}

// TestRoomWithoutMemory: what does not fit into memory says nothing about the work.
func TestRoomWithoutMemory(t *testing.T) {
	t.Parallel()
	b := newBench(t, writes("new", "x"))
	b.Confine = worker.Confine{Capabilities: &sandbox.Capabilities{Env: os.Environ()}, Memory: 1 << 20}
	b.spec.Gates = []loop.Gate{{
		Name: "build", Kind: loop.KindCommand, Level: loop.Hard,
		Run: `test -e new || exit 1; head -c 4000000 /dev/zero >big || { echo "cannot write: $?"; seq 30000; exit 1; }`,
	}}
	s := b.drive(t)
	if s.Status != loop.StatusPassed || s.Iteration != 1 {
		t.Fatalf("%s/%s after %d: %+v", s.Status, s.Reason, s.Iteration, s.Last().Results)
	}
	if base := s.BaseResults[0].Room; base == loop.RoomOverlay && s.Last().Results[0].Room != loop.RoomCopy {
		t.Errorf("it ran in %q", s.Last().Results[0].Room)
	}
}

// TestNothingStaysOfAGateInTheAgentsTree: where gates judge in the agent's tree, they write
// the tree, and nothing into the user's HOME: it lies below the HOME of later gates.
func TestNothingStaysOfAGateInTheAgentsTree(t *testing.T) {
	t.Parallel()
	k := &sandbox.Capabilities{Env: os.Environ()}
	cache, err := os.UserCacheDir()
	must(t, err)
	must(t, os.MkdirAll(cache, 0o700))
	for _, held := range []loop.Sandbox{loop.SandboxBubblewrap, loop.SandboxLandlock} {
		t.Run(string(held), func(t *testing.T) {
			t.Parallel()
			if _, err := k.Choose(t.Context(), held, false); err != nil {
				tier.SkipLacking(t, string(held), err)
			}
			b := newBench(t, writes("first", "x"), writes("new", "x"))
			b.Confine = worker.Confine{Capabilities: k}
			b.spec.Sandbox, b.spec.Limits.MaxIterations, b.spec.GatesInAgentTree = held, 3, true
			home, err := os.MkdirTemp(cache, "ralph-test-home-") // below none that is hidden
			must(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(home) })
			planted := filepath.Join(home, ".cache", "planted")
			must(t, os.Mkdir(filepath.Dir(planted), 0o700))
			b.Env = append(slices.Clone(b.Env), "HOME="+home)
			b.spec.Gates = []loop.Gate{{
				Name: "plant", Kind: loop.KindCommand, Level: loop.Hard,
				Run: "echo x >~/.cache/planted && test -e new && echo x >left",
			}}
			s := b.drive(t)
			if s.Status != loop.StatusPassed || s.Last().Results[0].Room != loop.RoomTree {
				t.Fatalf("%s/%s after %d: %+v", s.Status, s.Reason, s.Iteration, s.Last().Results)
			}
			if _, err := os.Lstat(planted); err == nil {
				t.Errorf("a gate wrote %s", planted)
			}
		})
	}
}
