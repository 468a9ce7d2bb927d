package setup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// tryOut runs the set-up and each gate once, as a loop would: on a clean
// checkout of HEAD outside of the repository, in a sandbox, under supervision, with the
// gates' own deadlines.
func (a *Commands) tryOut(ctx context.Context, p *project.Project, s *survey, f initFlags) error {
	if f.noRun || !s.any() {
		return nil
	}
	t, err := a.trial(ctx, p, s.head.Commit)
	if err != nil {
		return err
	}
	defer t.close(ctx)
	a.Say("trying the gates once, on a clean checkout of %s", s.head.Commit[:min(12, len(s.head.Commit))])
	broken, err := t.setUp(ctx, s)
	if err != nil {
		return err
	}
	for _, g := range s.gates {
		if g.off != "" {
			continue
		}
		r, err := t.run(ctx, g.Gate)
		if err != nil {
			return err
		}
		g.learn(r, broken)
		a.sayTried(g, s.width())
		if err := t.tryInstead(ctx, g, s.width()); err != nil {
			return err
		}
	}
	return nil
}

// tryInstead tries the other command of a gate whose own cannot start, and keeps it where it
// passes.
func (t *trial) tryInstead(ctx context.Context, g *proposal, wide int) error {
	if !g.result.CannotStart || g.Instead == "" {
		return nil
	}
	other := *g
	other.Gate.Run, other.off = g.Instead, ""
	r, err := t.run(ctx, other.Gate)
	if err != nil {
		return err
	}
	if other.learn(r, ""); r.Verdict == loop.Passed {
		*g = other
		t.Say("instead %s  %s", text.Pad(g.Gate.Name, wide), text.Clean(g.Gate.Run))
		t.sayTried(g, wide)
	}
	return nil
}

// any reports whether a gate is left that is not written as a comment.
func (s *survey) any() bool {
	for _, g := range s.gates {
		if g.off == "" {
			return true
		}
	}
	return false
}

// learn draws the conclusions of a trial. A gate that fails today stays: that
// is what loops are for. One that has no answer would only stop them.
func (g *proposal) learn(r loop.Result, broken string) {
	g.result = &r
	switch {
	case r.Verdict != loop.Passed && broken != "":
		g.off = broken
	case r.CannotStart, r.TimedOut, r.Verdict == loop.Error:
		g.off = r.Reason
	case g.Gate.Kind == loop.KindCoverage && r.Verdict == loop.Passed && r.Value != nil && *r.Value >= 1:
		floor := math.Floor(*r.Value)
		g.Gate.Threshold, g.Gate.Baseline = &floor, false
	}
}

// trial is a throw-away checkout.
type trial struct {
	*Commands
	repo              *git.Repo
	worker            *worker.Worker
	state             loop.State
	dir, tree, commit string
	runs              int
}

func (a *Commands) trial(ctx context.Context, p *project.Project, commit string) (*trial, error) {
	filters, err := p.Repo.CaptureFilters(ctx)
	if err != nil {
		return nil, &exit.Error{Code: exit.Missing, Err: err, Hint: "define the filter, or skip the trial: ralph init --no-run"}
	}
	root := a.TreeRoot(p)
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fmt.Errorf("make the directory of worktrees: %w", err)
	}
	dir, err := os.MkdirTemp(root, "init-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the trial: %w", err)
	}
	t := &trial{Commands: a, repo: p.Repo.WithFilters(filters), dir: dir, tree: filepath.Join(dir, "tree"), commit: commit}
	t.worker = a.WorkerFactory(p)(dir)
	t.worker.Repo, t.worker.Grace, t.worker.Files = t.repo, project.Grace, engine.Layout{Dir: dir}
	t.state.ID, t.state.Root = filepath.Base(dir), p.Repo.Root
	own, err := a.OwnSettings(p)
	if err != nil {
		t.close(ctx)
		return nil, err
	}
	t.state.Sandbox, t.state.SandboxWrite, t.state.SandboxHide = loop.Sandbox(own.Settings.Sandbox), own.Settings.Writable, own.Hidden()
	if err := t.repo.EnsureWorktree(ctx, git.Worktree{Path: t.tree, Commit: commit}); err != nil {
		t.close(ctx)
		return nil, fmt.Errorf("check out %s for the trial: %w", commit, err)
	}
	return t, nil
}

// close leaves nothing behind, also when the person pressed ctrl-c.
func (t *trial) close(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	t.worker.EndTrial()
	if _, err := os.Lstat(t.tree); err == nil {
		if err := t.repo.RetireWorktree(ctx, t.dir, t.tree); err != nil {
			t.Say("note    %v; git worktree prune forgets it", err)
		}
	}
	if err := errors.Join(git.Sweep(t.dir), os.RemoveAll(t.dir)); err != nil {
		t.Say("note    the checkout could not be deleted: %v", err)
	}
	// Folders that only the trial needed; those in use are not empty.
	_ = os.Remove(filepath.Dir(t.dir))
}

// setUp runs the set-up commands. What failed is said once, and why the gates
// behind it are then believed only when they pass.
func (t *trial) setUp(ctx context.Context, s *survey) (broken string, err error) {
	for _, step := range s.setup {
		if step.Missing != "" {
			continue
		}
		r, err := t.run(ctx, loop.Gate{
			Name: "setup", Kind: loop.KindCommand, Level: loop.Hard, Run: step.Run, Parse: "exit",
			Timeout: loop.GateTimeout(loop.KindCommand),
		})
		if err != nil {
			return "", err
		}
		if r.Verdict != loop.Passed {
			broken = fmt.Sprintf("the set-up command %q did not succeed", step.Run)
			t.Say("failed  %s  %s\n%s", text.Pad("setup", s.width()), text.Clean(r.Reason), text.Clean(r.Excerpt))
			return broken, nil
		}
		t.Say("passed  %s  %s", text.Pad("setup", s.width()), seconds(r.Duration))
	}
	return "", nil
}

func (t *trial) run(ctx context.Context, g loop.Gate) (loop.Result, error) {
	if err := t.repo.CheckoutDetached(ctx, t.tree, t.commit); err != nil {
		return loop.Result{}, fmt.Errorf("check out for gate %s: %w", g.Name, err)
	}
	t.runs++
	name := fmt.Sprintf("run-%d", t.runs)
	quiet := t.beat(g.Name)
	defer quiet()
	r, err := t.worker.Try(ctx, t.state, g, t.commit, t.tree, name)
	// The checkout is gone when a user reads this.
	r.Reason = strings.ReplaceAll(r.Reason, t.tree+string(filepath.Separator), "")
	return r, err
}

// beat reports progress while a slow gate runs.
func (a *Commands) beat(name string) (stop func()) {
	start, tick := time.Now(), time.NewTicker(command.Silence/2)
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-tick.C:
				a.Say("running %s  for %s", text.Pad(name, 10), seconds(time.Since(start)))
			case <-over:
				return
			}
		}
	}()
	return func() { tick.Stop(); close(over); <-done }
}

// sayTried is one line about a trial, and the reason where it did not pass.
func (a *Commands) sayTried(g *proposal, wide int) {
	r := g.result
	words := seconds(r.Duration)
	if r.Tests != nil && r.Tests.Run.Known() && r.Verdict == loop.Passed {
		words += "  " + text.Plural(int(r.Tests.Run), "test")
	}
	if r.Value != nil && r.Verdict == loop.Passed {
		words += fmt.Sprintf("  %.1f %%", *r.Value)
		if g.Gate.Threshold != nil {
			words += fmt.Sprintf(", floor %g %%", *g.Gate.Threshold)
		}
	}
	if r.Verdict != loop.Passed {
		words += "  " + text.Headline(r.Reason, 100)
	}
	a.Say("%s  %s  %s%s", text.Pad(string(r.Verdict), 6), text.Pad(g.Gate.Name, wide), words, behind(g.offWord()))
}

// offWord says that a gate is written as a comment, and what brings it back where a
// program or module is missing.
func (g *proposal) offWord() string {
	switch {
	case g.off == "":
		return ""
	case g.result != nil && g.result.CannotStart:
		if how := next.Install(g.result.Reason); how != "" {
			return "written as a comment; install it (" + how + "), then remove the # marks"
		}
		return "written as a comment; install it, then remove the # marks"
	}
	return "written as a comment"
}

// seconds is a duration as people read it.
func seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
