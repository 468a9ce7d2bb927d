package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ralph/internal/config"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// checkGit finds the repository; everything about it needs git first.
func (c *checkup) checkGit(ctx context.Context) {
	p, err := c.Locate(ctx)
	var old git.ErrTooOld
	switch {
	case err == nil:
		c.project = p
		c.ok("git", "%s", p.Repo.Version)
	case errors.Is(err, git.ErrNoGit):
		c.missing("git", "install git 2.38 or newer", "git is not on PATH")
	case errors.As(err, &old):
		c.missing("git", "install git 2.38 or newer", "%v", err)
	case errors.Is(err, git.ErrNotRepository):
		c.ok("git", "%s", gitVersion(ctx))
		c.note("repository", "%s is in none: only the tools are checked", c.Dir)
	case errors.Is(err, git.ErrForeignOwner):
		c.fail("repository", "if you trust its owner: git config --global --add safe.directory "+c.Dir, "%v", git.ErrForeignOwner)
	default:
		c.fail("repository", "", "%v", err)
	}
}

func gitVersion(ctx context.Context) string {
	out, err := proc.Run(ctx, proc.Command{Argv: []string{"git", "version"}})
	if err != nil {
		return err.Error()
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out.Stdout)), "git version ")
}

func (c *checkup) checkRepository(ctx context.Context) {
	if c.project == nil {
		return
	}
	p, before := c.project, len(c.findings)
	if p.Repo.Bare {
		c.note("repository", "bare: loops run in worktrees of their own; --in-place and --with-changes have no tree to work in")
	}
	head, err := p.Repo.Head(ctx)
	switch {
	case errors.Is(err, git.ErrUnborn):
		c.warn("repository", "git commit --allow-empty -m 'first'", "branch %s has no commit: a loop needs one to start from", head.Branch)
	case err != nil:
		c.fail("repository", "", "%v", err)
	default:
		c.checkSubmodules(ctx, head.Commit)
	}
	c.checkRefs()
	c.checkLocks()
	// A ref is a file: where refs/heads/ralph is one, it cannot be a folder.
	for _, name := range []string{"ralph", "wip"} {
		if at, err := p.Repo.RefCommit(ctx, "refs/heads/"+name); err == nil && at != "" {
			c.fail("repository", fmt.Sprintf("git branch -m %s %s-old", name, name), "the branch %s is in the way of the branches %s/*", name, name)
		}
	}
	var filters git.ErrMissingFilter
	var program git.ErrFilterProgram
	if _, err := p.Repo.CaptureFilters(ctx); errors.As(err, &program) {
		c.missing("repository", "install "+program.Program+", and check that it is on PATH where ralph runs", "%v", err)
	} else if errors.As(err, &filters) {
		c.missing("repository", "install and set up "+strings.Join(filters.Names, ", ")+", for git-lfs: git lfs install", "%v", err)
	} else if err != nil {
		c.fail("repository", "", "%v", err)
	}
	if len(c.findings) == before {
		c.ok("repository", "%s", p.Root())
	}
}

// checkRefs finds the refs of ralph's own that a power cut has emptied, and removes
// them with --fix: the loops that need them make them again.
func (c *checkup) checkRefs() {
	for _, ref := range c.project.Repo.BrokenRefs() {
		switch {
		case !c.fix:
			c.fail("repository", "ralph doctor --fix", "%s is broken, as after a power cut: git gc and git log --all fail because of it", ref)
		case c.project.Repo.DropBrokenRef(ref):
			c.note("repository", "removed the broken ref %s", ref)
		default:
			c.fail("repository", "", "the broken ref %s could not be removed", ref)
		}
	}
}

// oldLock is the age from which doctor names a lock of git: git has its locks for an instant,
// except where a person edits a message, or a hook runs.
const oldLock = time.Minute

// checkLocks finds lock files that a power cut or a kill left to git, which refuses to work
// until they are gone. Those from before the boot are removed with --fix, unless another
// machine may have them.
func (c *checkup) checkLocks() {
	repo := c.project.Repo
	killed := repo.KilledAdvance()
	if killed != "" {
		c.fail("repository", "the same ralph accept completes it (ralph status lists what is ready)",
			"a ralph accept was killed while it changed the files of this tree: git refuses to work because of %s", killed)
	}
	boot, known := bootTime(c.Now())
	if at, found := spaceOf(repo.CommonDir); found && at.remote != "" {
		known = false
	}
	for _, lock := range repo.StaleLocks(c.Now().Add(-oldLock)) {
		info, err := os.Lstat(lock)
		switch stale := known && err == nil && info.ModTime().Before(boot); {
		case err != nil || lock == killed:
		case !stale:
			c.warn("repository", "where no git works here: rm "+lock, "%s is from %s: a git that works here has it, or one was killed",
				lock, info.ModTime().Format(time.DateTime))
		case !c.fix:
			c.fail("repository", "ralph doctor --fix", "%s is from before the machine was started: nothing has it, and git refuses to work", lock)
		case os.Remove(lock) == nil:
			c.note("repository", "removed %s, from before the machine was started", lock)
		default:
			c.fail("repository", "", "%s, from before the machine was started, could not be removed", lock)
		}
	}
}

// checkSubmodules reads the settings by itself: they are checked later.
func (c *checkup) checkSubmodules(ctx context.Context, commit string) {
	has, err := c.project.Repo.HasSubmodules(ctx, commit)
	if err != nil {
		c.fail("repository", "", "%v", err)
	}
	p := *c.project
	if !has || c.Configure(&p) == nil && len(p.Settings.Settings.Isolation.Setup) > 0 {
		return
	}
	c.warn("repository", "in ralph.yaml: isolation: {setup: git submodule update --init --recursive}",
		"it has submodules, which are empty in a fresh worktree")
}

func (c *checkup) checkSettings(context.Context) {
	if c.project == nil {
		return
	}
	p := c.project
	err := c.Configure(p)
	for _, n := range p.Found.Notes {
		c.warn(config.FileName, "", "%s", n)
	}
	var mistakes config.Errors
	switch {
	case errors.As(err, &mistakes):
		for _, m := range mistakes {
			fix := m.Hint
			m := *m
			m.Hint = ""
			c.fail(config.FileName, fix, "%v", &m)
		}
	case err != nil:
		c.fail(config.FileName, "", "%v", err)
	case p.Found.Project == nil:
		c.note(config.FileName, "there is none: say the gate with --until, or let ralph init write one")
	case !hasHard(p.Settings.Gates()):
		c.warn(config.FileName, "ralph init --print shows what was detected", "no hard gate is configured: only --until can prove a task done")
	default:
		c.ok(config.FileName, "%s, %s", text.Plural(len(p.Settings.Gates()), "gate"), text.Plural(len(p.Settings.Settings.Agents), "agent"))
	}
	if err != nil {
		p.Settings = nil
	}
}

func hasHard(gates []loop.Gate) bool {
	for _, g := range gates {
		if g.Level == loop.Hard {
			return true
		}
	}
	return false
}
