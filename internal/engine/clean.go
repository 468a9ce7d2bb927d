package engine

import "time"

// CleanOptions select the things that Clean may remove.
type CleanOptions struct {
	OlderThan time.Duration
	Worktrees bool
	DryRun    bool
	// Drop is an ended loop whose worktree goes with the only copy of its work.
	Drop string
	// Given are the commits of branches that were deleted on request: worktrees that hold no
	// other work are deleted.
	Given []string
}

// Cleaned is what Clean did.
type Cleaned struct {
	// Removed are the names of what was removed.
	Removed []string
	// Unkept are worktrees with work that stands on no branch. They stay, with their loops.
	Unkept []Unkept
}

// Unkept is the worktree of an ended loop whose work could not be kept on a branch, or one of
// the pool, without a loop, at a commit that no ref contains.
type Unkept struct {
	Loop     string `json:"loop,omitempty"`
	Worktree string `json:"worktree"`
	Commit   string `json:"commit,omitempty"`
}
