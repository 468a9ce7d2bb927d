package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// unlockOwn removes the lock that a killed git or a power cut left on a ref of a run.
// The caller owns the run and has ended every process of it. Other refs stay as they
// are.
func (r *Repo) unlockOwn(ref string) {
	if (strings.HasPrefix(ref, heads+"ralph/") || strings.HasPrefix(ref, ownRefs)) && validRef(ref) {
		os.Remove(r.lockOf(ref))
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
