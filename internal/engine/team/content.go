package team

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/git"
)

// Content is what of a commit no worker has in its trees by itself.
type Content struct {
	// Filters are the content filters that its attributes name, such as lfs. Workers run
	// none: their files would hold pointers, and what agents add would stay on the machine.
	Filters []string
	// Submodules: it contains other repositories, which only set-up commands fetch.
	Submodules bool
}

// ContentOf examines a commit.
func ContentOf(ctx context.Context, repo *git.Repo, commit string) (c Content, err error) {
	if c.Filters, err = repo.FiltersOf(ctx, commit); err == nil {
		c.Submodules, err = repo.HasSubmodules(ctx, commit)
	}
	return c, err
}

// workable refuses a commit whose trees would be incomplete on a worker, before an agent is
// paid. Setup: the loop has set-up commands, which may fetch submodules.
func (t Travel) workable(ctx context.Context, commit string, setup bool) error {
	c, err := ContentOf(ctx, t.Remote.Repo, commit)
	switch {
	case err != nil:
		return fmt.Errorf("look for content that workers lack: %w", err)
	case len(c.Filters) > 0:
		return fmt.Errorf("%w: .gitattributes names content filters (%s), which no worker runs", engine.ErrNotShared, strings.Join(c.Filters, ", "))
	case c.Submodules && !setup:
		return fmt.Errorf("%w: the repository has submodules, and no set-up command fetches them; isolation.setup can: git submodule update --init --recursive", engine.ErrNotShared)
	}
	return nil
}
