package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// unlockOwn removes the lock that a killed git, the agent's or ralph's, left on a
// branch of a loop. The caller owns the branch and has ended every process of it.
func (r *Repo) unlockOwn(branch string) {
	if strings.HasPrefix(branch, "ralph/") && validRef(heads+branch) {
		os.Remove(r.lockOf(heads + branch))
	}
}

func (r *Repo) lockOf(ref string) string {
	return filepath.Join(r.CommonDir, filepath.FromSlash(ref)+".lock")
}

// unlock removes the locks that a killed git left in a worktree of ralph's, and an
// index that a power cut has emptied: without one, git reads the files themselves.
// Its owner has ended every process in it.
func unlock(gitDir string) {
	if emptyIndex(gitDir) {
		os.Remove(filepath.Join(gitDir, "index"))
	}
	for _, name := range []string{"index.lock", "HEAD.lock", "config.worktree.lock", "MERGE_HEAD.lock"} {
		os.Remove(filepath.Join(gitDir, name))
	}
}

// takes lists the lock files that a call may make and that are not there yet. A git
// that a signal ends leaves them, also in the user's own worktree.
func (r *Repo) takes(c call) []string {
	var locks []string
	switch {
	case c.reads:
		return nil
	case c.args[0] == "update-ref":
		locks = append(r.takesRefs(c), filepath.Join(c.gitDir, "HEAD.lock"))
	case c.args[0] == "symbolic-ref":
		locks = []string{filepath.Join(c.gitDir, "HEAD.lock")}
	case c.index != "":
		locks = []string{c.index + ".lock"}
	default:
		locks = []string{filepath.Join(c.gitDir, "index.lock")}
	}
	return slices.DeleteFunc(locks, exists)
}

// takesRefs lists the locks of the refs that an update names, and that of the packed
// ones, which a deletion rewrites.
func (r *Repo) takesRefs(c call) []string {
	words := slices.Concat(c.args, strings.FieldsFunc(string(c.stdin), func(c rune) bool { return c == 0 || c == ' ' }))
	locks := []string{filepath.Join(r.CommonDir, "packed-refs.lock")}
	for _, word := range words {
		if strings.HasPrefix(word, "refs/") && validRef(word) {
			locks = append(locks, r.lockOf(word))
		}
	}
	return locks
}
