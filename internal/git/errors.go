package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/disk"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// Situations without further data. They are wrapped with the path.
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
	// ErrNotLinked: the path is not a linked worktree of this repository.
	ErrNotLinked = errors.New("not a linked worktree of this repository")
	// ErrUsersTree: the call is for worktrees of ralph's, the path is the user's.
	ErrUsersTree = errors.New("this is the user's own working tree")
	// ErrOutsideRoot: the path is not inside the folder the caller named.
	ErrOutsideRoot = errors.New("outside the folder of worktrees")
	// ErrNotFound: the commit has no such file.
	ErrNotFound = errors.New("no such file in the commit")
	// ErrNoSpace: a disk is full, or a quota used up.
	ErrNoSpace = errors.New("no space left")
	// ErrTooLarge: the output exceeds the limit.
	ErrTooLarge = errors.New("larger than the limit")
)

// ErrTooOld is returned when the installed git is older than 2.38.
type ErrTooOld struct{ Have string }

func (e ErrTooOld) Error() string {
	return fmt.Sprintf("git %s is too old: %d.%d or newer is needed", e.Have, minMajor, minMinor)
}

// ErrUnknownRevision is returned when a name resolves to no commit.
type ErrUnknownRevision struct{ Rev string }

func (e ErrUnknownRevision) Error() string { return fmt.Sprintf("unknown revision %q", e.Rev) }

// ErrRefMoved is returned when a ref does not have the expected value. Empty
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

// ErrBadRefName is returned for a name that git does not allow.
type ErrBadRefName struct{ Ref string }

func (e ErrBadRefName) Error() string { return fmt.Sprintf("%.80q is not a valid ref name", e.Ref) }

// ErrBranchBlocks is returned when a ref exists where another needs a folder, or
// the reverse: "ralph" against "ralph/x".
type ErrBranchBlocks struct{ Existing, Wanted string }

func (e ErrBranchBlocks) Error() string {
	return fmt.Sprintf("%s cannot be created while %s exists", e.Wanted, e.Existing)
}

// ErrCheckedOut is returned when a branch is checked out in the worktree at Path.
type ErrCheckedOut struct{ Branch, Path string }

func (e ErrCheckedOut) Error() string {
	return fmt.Sprintf("branch %s is checked out in %s", e.Branch, e.Path)
}

// ErrLocked is returned when another git works here, or a killed one left its
// lock.
type ErrLocked struct{ File string }

func (e ErrLocked) Error() string {
	return fmt.Sprintf("%s exists: another git is running, or one was killed", e.File)
}

// ErrUnreachable is returned when nothing else keeps a commit.
type ErrUnreachable struct{ Name, Commit string }

func (e ErrUnreachable) Error() string {
	return fmt.Sprintf("%s is the only way to commit %s", e.Name, e.Commit)
}

// ErrDirty lists the files with conflicting changes of the user.
type ErrDirty struct{ Paths []string }

func (e ErrDirty) Error() string {
	return "uncommitted changes in " + few(e.Paths)
}

// ErrNotWritten is returned when git could not write files of a user's tree to move it to a
// commit. It is ErrNoSpace where the disk of Full is full.
type ErrNotWritten struct {
	Tree  string
	Paths []string // those that are missing or incomplete, where known
	Full  string
	// PutBack: the files of the tree are as before. Otherwise the same call completes them.
	PutBack bool
	Err     error
}

func (e ErrNotWritten) Error() string {
	what, after := "files", "; the same command completes them"
	if len(e.Paths) > 0 {
		what = few(e.Paths)
	}
	if e.PutBack {
		after = "; its files are as before"
	}
	text := fmt.Sprintf("git could not write %s in %s%s: %v", what, e.Tree, after, e.Err)
	if e.Full != "" {
		return fmt.Sprintf("%v on the disk of %s: %s", ErrNoSpace, e.Full, text)
	}
	return text
}

func (e ErrNotWritten) Unwrap() error { return e.Err }

// Is reports whether target is ErrNoSpace, and the reason.
func (e ErrNotWritten) Is(target error) bool { return target == ErrNoSpace && e.Full != "" }

// noSpace adds ErrNoSpace to an error where the disk of one of the directories is full.
func noSpace(err error, dirs ...string) error {
	if dir := disk.Full(dirs...); dir != "" && !errors.Is(err, ErrNoSpace) {
		return fmt.Errorf("%w on the disk of %s: %w", ErrNoSpace, dir, err)
	}
	return err
}

// ErrConflict lists the files that two commits change differently.
type ErrConflict struct{ Paths []string }

func (e ErrConflict) Error() string { return "conflicts in " + few(e.Paths) }

// ErrMissingFilter lists filters that attributes name and the configuration does
// not define.
type ErrMissingFilter struct{ Names []string }

func (e ErrMissingFilter) Error() string {
	return "attributes name filters that are not configured: " + few(e.Names)
}

// ErrFilterChanged is returned when the repository's configuration was changed
// during a loop, so that this filter would run something else.
type ErrFilterChanged struct{ Name string }

func (e ErrFilterChanged) Error() string {
	return fmt.Sprintf("filter.%s.process was added to the repository's configuration since the start", e.Name)
}

// CommandError is a failure of git that no type above describes. A Code below
// zero means that a signal ended git.
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

// Is reports whether target is ErrNoSpace, and git reports that.
func (e *CommandError) Is(target error) bool {
	return target == ErrNoSpace && slices.ContainsFunc(full, func(words string) bool { return strings.Contains(e.Stderr, words) })
}

// Unwrap returns a *proc.Cut where git, or a program that it started, was killed, or
// lacked memory, processes, descriptors or disk: it says nothing about the repository.
func (e *CommandError) Unwrap() error {
	cut := &proc.Cut{What: "git " + e.Args[0], How: "killed"}
	switch {
	case e.Code < 0, e.Code == 128+9, e.Code == 128+15, strings.Contains(e.Stderr, "died of signal"):
		cut.Cause = loop.CauseSignal
	case proc.SaysLack(e.Stderr), slices.ContainsFunc(lacking, func(words string) bool { return strings.Contains(e.Stderr+"\n", words) }):
		cut.How, cut.Cause = tail([]byte(e.Stderr)), loop.CauseLack
	default:
		return nil
	}
	return cut
}

// full are the C library's words for ENOSPC and EDQUOT.
var full = []string{"No space left on device", "Disk quota exceeded"}

// lacking are git's own words for what proc.SaysLack knows by the C library's words.
// An SSH server that refuses a key says more than these.
var lacking = []string{"Out of memory", "Resource temporarily unavailable", "Permission denied\n", "insufficient permission for adding an object"}

// ErrDamaged is returned when objects that a commit needs are missing or damaged.
type ErrDamaged struct {
	Commit string
	Err    error
}

func (e ErrDamaged) Error() string {
	return fmt.Sprintf("objects of commit %.10s are missing or damaged: %v", e.Commit, e.Err)
}

func (e ErrDamaged) Unwrap() error { return e.Err }

// Verify reads every object that commit needs besides those of base, as for a
// push. An unreadable one is ErrDamaged.
func (r *Repo) Verify(ctx context.Context, commit, base string) error {
	list := commit + "\n"
	if base != "" {
		list += "^" + base + "\n"
	}
	_, err := r.callTruncated(ctx, call{
		place: r.bare(), args: []string{"pack-objects", "--revs", "--stdout", "-q"}, stdin: []byte(list), max: 1 << 10,
	})
	if exitCode(err) > 0 {
		return ErrDamaged{commit, err}
	}
	return err
}

// few are the first of names that a commit chose, on one line.
func few(names []string) string {
	lines := make([]string, len(names))
	for i, n := range names {
		lines[i] = text.Line(n)
	}
	return text.Few(lines, 5)
}
