package git

import (
	"errors"
	"fmt"
	"strings"
)

// Situations without further data. They come wrapped with the place.
var (
	// ErrNoGit: there is no git on PATH.
	ErrNoGit = errors.New("git is not installed")
	// ErrNotRepository: the directory is in no work tree or bare repository.
	ErrNotRepository = errors.New("not a git repository")
	// ErrForeignOwner: git refuses because another user owns the repository.
	// The owner decides (safe.directory); this package never does.
	ErrForeignOwner = errors.New("the repository belongs to another user")
	// ErrUnborn: HEAD has no commit yet.
	ErrUnborn = errors.New("the branch has no commit yet")
	// ErrNotLinked: the path is no linked worktree of this repository.
	ErrNotLinked = errors.New("not a linked worktree of this repository")
	// ErrUsersTree: the call is for worktrees of ours, the path is the user's.
	ErrUsersTree = errors.New("this is the user's own working tree")
	// ErrOutsideRoot: the path is not inside the folder the caller named.
	ErrOutsideRoot = errors.New("outside the folder of worktrees")
	// ErrNotFound: the commit has no such file.
	ErrNotFound = errors.New("no such file in the commit")
	// ErrTooLarge: the answer is larger than this package reads.
	ErrTooLarge = errors.New("larger than the limit")
)

// ErrTooOld says that the installed git lacks what is needed (2.38).
type ErrTooOld struct{ Have string }

func (e ErrTooOld) Error() string {
	return fmt.Sprintf("git %s is too old: %d.%d or newer is needed", e.Have, minMajor, minMinor)
}

// ErrUnknownRevision says that a name resolves to no commit.
type ErrUnknownRevision struct{ Rev string }

func (e ErrUnknownRevision) Error() string { return fmt.Sprintf("unknown revision %q", e.Rev) }

// ErrRefMoved says that a ref did not have the value the caller knew. Empty
// values mean that the ref does not exist.
type ErrRefMoved struct{ Ref, Want, Have string }

func (e ErrRefMoved) Error() string {
	return fmt.Sprintf("%s is at %s, not at %s", e.Ref, orNone(e.Have), orNone(e.Want))
}

func orNone(id string) string {
	if id == "" {
		return "no commit"
	}
	return id
}

// ErrBadRefName says that git allows no ref of that name.
type ErrBadRefName struct{ Ref string }

func (e ErrBadRefName) Error() string { return fmt.Sprintf("%.80q is no valid ref name", e.Ref) }

// ErrBranchBlocks says that an existing ref stands where another needs a
// folder, or the reverse: "ralph" against "ralph/x".
type ErrBranchBlocks struct{ Existing, Wanted string }

func (e ErrBranchBlocks) Error() string {
	return fmt.Sprintf("%s cannot be created while %s exists", e.Wanted, e.Existing)
}

// ErrCheckedOut says that a branch is checked out in the worktree at Path.
type ErrCheckedOut struct{ Branch, Path string }

func (e ErrCheckedOut) Error() string {
	return fmt.Sprintf("branch %s is checked out in %s", e.Branch, e.Path)
}

// ErrLocked says that another git works here, or one died and left its lock.
type ErrLocked struct{ File string }

func (e ErrLocked) Error() string {
	return fmt.Sprintf("%s exists: another git is running, or one was killed", e.File)
}

// ErrUnreachable says that nothing else keeps a commit alive.
type ErrUnreachable struct{ Name, Commit string }

func (e ErrUnreachable) Error() string {
	return fmt.Sprintf("%s is the only way to commit %s", e.Name, e.Commit)
}

// ErrDirty lists the files with changes of the user that stand in the way.
type ErrDirty struct{ Paths []string }

func (e ErrDirty) Error() string {
	return "uncommitted changes in " + some(e.Paths)
}

// ErrConflict lists the files that two commits change differently.
type ErrConflict struct{ Paths []string }

func (e ErrConflict) Error() string { return "conflicts in " + some(e.Paths) }

// ErrMissingFilter says that attributes name filters nobody defined here.
type ErrMissingFilter struct{ Names []string }

func (e ErrMissingFilter) Error() string {
	return "attributes name filters that are not configured: " + some(e.Names)
}

// ErrFilterChanged says that the repository's configuration was changed under a
// running loop, in a way that would make this filter run something else.
type ErrFilterChanged struct{ Name string }

func (e ErrFilterChanged) Error() string {
	return fmt.Sprintf("filter.%s.process was added to the repository's configuration since the start", e.Name)
}

func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// CommandError is a refusal of git that no type above describes. A Code below
// zero is a git that was ended by a signal.
type CommandError struct {
	Args   []string
	Code   int
	Stderr string
}

func (e *CommandError) Error() string {
	how := fmt.Sprintf("exit %d", e.Code)
	if e.Code < 0 {
		how = "killed"
	}
	return strings.TrimSuffix(fmt.Sprintf("git %s: %s: %s", e.Args[0], how, e.Stderr), ": ")
}
