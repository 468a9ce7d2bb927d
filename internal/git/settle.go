package git

import (
	"os"
	"path/filepath"
)

// unlock removes the locks of a worktree of ours that a killed git left. Its
// owner has ended every process in it.
func unlock(gitDir string) {
	for _, name := range []string{"index.lock", "HEAD.lock", "config.worktree.lock", "MERGE_HEAD.lock"} {
		os.Remove(filepath.Join(gitDir, name))
	}
}

// settle ends what the agent left half done (a merge, rebase, bisect): its
// result is committed, and the next attempt starts from a plain state.
func settle(gitDir string) {
	for _, name := range []string{
		"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "SQUASH_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD",
		"BISECT_LOG", "BISECT_START", "BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV", "BISECT_ANCESTORS_OK",
		"rebase-merge", "rebase-apply", "sequencer",
	} {
		os.RemoveAll(filepath.Join(gitDir, name))
	}
}
