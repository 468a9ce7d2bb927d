package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/testing/tier"
)

// many fills a repository with n files and commits them.
func (f *fixture) many(n int) {
	f.t.Helper()
	for i := range n {
		f.write(f.dir, fmt.Sprintf("many/%02d/%d.go", i%50, i), fmt.Sprintf("package many // %d\n%0*d\n", i, 100+i%900, 0))
	}
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "many")
	f.base = f.git("rev-parse", "HEAD")
}

// Git is killed (SIGKILL, by the context) at ever later moments of each step.
// Whatever it left, the next call goes on, and the user's state is untouched.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.many(200)
	user := f.user()
	steps := 4
	if tier.Long() {
		steps = 12
	}
	wt, gate := filepath.Join(f.root, "w"), filepath.Join(f.root, "gate")
	last := f.base
	for i := range steps {
		spec := Worktree{Path: wt, Branch: "ralph/w", Commit: f.base}
		f.killed(i, func(ctx context.Context) error { return f.EnsureWorktree(ctx, spec) })
		if err := f.EnsureWorktree(f.ctx(), spec); err != nil {
			t.Fatalf("step %d: ensure: %v", i, err)
		}
		f.write(wt, fmt.Sprintf("work/%d", i), "x")
		f.write(wt, "many/00/0.go", fmt.Sprint(i))
		f.killed(i, func(ctx context.Context) error {
			_, _, err := both(f.Commit(ctx, wt, Message{Text: "work"}, CommitOptions{Branch: "ralph/w"}))
			return err
		})
		id, _ := f.commit(wt, CommitOptions{Branch: "ralph/w"})
		if got := f.git("rev-parse", "ralph/w", id+"^"); got != id+"\n"+last {
			t.Fatalf("step %d: branch and parent %s, want %s and %s", i, got, id, last)
		}
		last = id
		f.killed(i, func(ctx context.Context) error { return f.EnsureWorktree(ctx, Worktree{Path: gate, Commit: f.base}) })
		if err := f.EnsureWorktree(f.ctx(), Worktree{Path: gate, Commit: f.base}); err != nil {
			t.Fatalf("step %d: gate: %v", i, err)
		}
		f.killed(i, func(ctx context.Context) error { return f.CheckoutDetached(ctx, gate, id) })
		if err := f.CheckoutDetached(f.ctx(), gate, id); err != nil {
			t.Fatalf("step %d: checkout: %v", i, err)
		}
		if got := f.gitIn(gate, "status", "--porcelain", "-uall"); got != "" || f.read(gate, "many/00/0.go") != fmt.Sprint(i) {
			t.Fatalf("step %d: gate is not the commit: %s", i, got)
		}
		if i%4 == 3 { // start over
			os.RemoveAll(gate)
			os.RemoveAll(f.adminDir(gate))
		}
	}
	if out := f.tryGit(f.dir, "fsck", "--connectivity-only"); out.Code != 0 {
		t.Errorf("fsck: %s", out.Stderr)
	}
	for k, v := range f.user() {
		if user[k] != v {
			t.Errorf("the user's %s changed", k)
		}
	}
}

func (f *fixture) killed(step int, do func(context.Context) error) {
	ctx, cancel := context.WithTimeout(f.ctx(), time.Duration(step)*1200*time.Microsecond)
	defer cancel()
	_ = do(ctx) // that it fails is the point
}
