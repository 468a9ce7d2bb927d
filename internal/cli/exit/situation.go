package exit

import (
	"errors"
	"slices"
	"strings"
	"syscall"

	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/proc"
	"ralph/internal/sandbox"
	"ralph/internal/store"
)

// Classify finds the exit code and the hint of any error.
func Classify(err error) *Error {
	if f, ok := errors.AsType[*Error](err); ok {
		return f
	}
	if full, ok := errors.AsType[*engine.AdmissionError](err); ok {
		return &Error{Code: Busy, Err: err, Hint: full.Hint()}
	}
	if met, ok := errors.AsType[*engine.ConflictError](err); ok {
		return &Error{Code: Failed, Err: met, Hint: met.Hint()}
	}
	if moved, ok := errors.AsType[*engine.MovedError](err); ok {
		return &Error{Code: Usage, Err: err, Hint: moved.Hint()}
	}
	if stays, ok := errors.AsType[*engine.ImmovableError](err); ok {
		return &Error{Code: Usage, Err: err, Hint: next.Show(stays.ID) + " shows it"}
	}
	if none, ok := errors.AsType[*sandbox.UnavailableError](err); ok {
		return &Error{Code: Missing, Err: err, Hint: none.Fix}
	}
	for _, c := range situations() {
		if c.is(err) {
			return &Error{Code: c.code, Err: err, Hint: c.hint}
		}
	}
	return &Error{Code: Internal, Err: err}
}

type situation struct {
	is   func(error) bool
	code int
	hint string
}

func same(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func kind[T error](err error) bool {
	var t T
	return errors.As(err, &t)
}

func damaged(err error) bool {
	return errors.Is(err, engine.ErrDamaged) || kind[*store.DamageError](err)
}

func noSpace(err error) bool {
	return errors.Is(err, engine.ErrNoSpace) || errors.Is(err, git.ErrNoSpace) || kind[*store.NoSpaceError](err) ||
		errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// unreached: the remote, or the files that a team shares, are away or refuse.
func unreached(err error) bool { return engine.WaitsFor(err) != "" }

// onlyFlags: everything that is wrong was typed just now, so it is a mistake of
// usage and not of the configuration.
func onlyFlags(err error) bool {
	var all config.Errors
	if !errors.As(err, &all) {
		var one *config.Error
		return errors.As(err, &one) && strings.HasPrefix(one.File, "--")
	}
	return !slices.ContainsFunc(all, func(e *config.Error) bool { return !strings.HasPrefix(e.File, "--") })
}

// id stands for the id of a run that the user has typed.
const id = "ID"

func situations() []situation {
	return []situation{
		{noSpace, Internal, "make room, and run the command again: what was recorded before stands"},
		{kind[git.ErrNotWritten], Internal, "let git write there (the rights, the quota), and run the command again: nothing was merged"},
		{kind[*proc.Cut], Busy, "a process was killed, or the machine lacked memory or the like: run the command again"},
		{same(git.ErrNotRepository), Usage, "run ralph inside a git repository, or make one: git init"},
		{same(git.ErrUnborn), Usage, "make a first commit: git commit --allow-empty -m 'first'"},
		{same(git.ErrForeignOwner), Usage, "the owner can allow it: git config --global --add safe.directory <path>"},
		{same(git.ErrNoGit), Missing, "install git 2.38 or newer"},
		{kind[git.ErrTooOld], Missing, "install git 2.38 or newer"},
		{kind[git.ErrMissingFilter], Missing, "install the filter (for example: git lfs install), or remove it from .gitattributes"},
		{kind[git.ErrFilterProgram], Missing, "install it, and check that it is on PATH where ralph runs, or remove the filter from .gitattributes"},
		{onlyFlags, Usage, ""},
		{kind[config.Errors], Config, ""},
		{kind[*config.Error], Config, ""},
		{same(engine.ErrKey), Config, "RALPH_CODEC_KEY, or codec_key in your own settings, names the file of the team's key: docs/team.md"},
		{same(engine.ErrNewer), Config, "install the version that the workers of the team have, on every machine"},
		{same(engine.ErrAway), Missing, "start the server, or run the command again once it can be reached; workers continue their loops"},
		{unreached, Missing, "run the command again once it can be reached and takes what is written"},
		{same(engine.ErrNotShared), Usage, "leave it out, or leave out --engine"},
		{same(loop.ErrNoHardGate), Config, "name one with --until COMMAND, or write gates into ralph.yaml: ralph init"},
		{same(loop.ErrNoSpecReview), Config, "name review.reviewers, and give --criterion or write review.spec: on, which reviews work without criteria; or ask for another --proof"},
		{same(engine.ErrRunning), Busy, "follow it with " + next.Follow(id) + "; take it over with " + next.Resume(id, "--take-over")},
		{same(engine.ErrDriven), Usage, "its agent checks it with ralph loop check, in your own tree; " + next.AbortDriven(id) + " ends it"},
		{same(engine.ErrSupervised), Usage, next.Status(id)},
		{same(engine.ErrCycle), Usage, "leave out --after, or wait for another loop"},
		{same(engine.ErrFenced), Busy, "another process runs it now; " + next.Follow(id) + " follows it"},
		{same(engine.ErrExists), Usage, "choose another --loop-id"},
		{same(engine.ErrNoPattern), Usage, "ralph learn list --all tells the numbers"},
		{same(engine.ErrUnfit), Usage, "ralph learn add --help"},
		{same(engine.ErrNotFound), Usage, "ralph status --all lists the loops and plans of this repository"},
		{same(engine.ErrNoArtifact), Usage, "ralph loop artifacts lists them"},
		{same(engine.ErrLargeArtifact), Usage, "publish a smaller file, or the part of it that others need"},
		{same(engine.ErrChangedArtifact), Failed, "nothing was taken; ask the loop that offered it to publish it again"},
		{same(engine.ErrEnded), Usage, next.Retry(id) + " does the task again in a new loop; an agent that drives its own begins one with ralph loop init"},
		{same(engine.ErrNoCheckpoint), Usage, next.Show(id, "--checkpoints") + " lists them"},
		{same(engine.ErrNested), Usage, "nothing was changed"},
		{same(engine.ErrNotPassed), Usage, next.Show(id) + " tells how it ended"},
		{same(engine.ErrNothingUnkept), Usage, "ralph clean --dry-run lists what there is"},
		{same(engine.ErrOtherWork), Busy, "look again: " + next.Show(id, "--diff")},
		{same(engine.ErrDetached), Usage, "git switch BRANCH"},
		{kind[*engine.NotGreenError], Failed, "your branch has moved since the work began, and nothing was merged: " + next.Retry(id) + " does the task again from where it is now; " + next.Show(id, "--diff") + ", or merge by hand"},
		{kind[git.ErrRefMoved], Busy, "another git command, or another ralph, moved it meanwhile, and it was left as it is: run it again"},
		{kind[git.ErrConflict], Failed, "nothing was merged; merge its branch by hand (" + next.Show(id) + " names it), or have the task done again from where your branch is now: " + next.Retry(id)},
		{kind[git.ErrDamaged], Internal, "git fsck tells which; git fetch from a clone that has them, or do the work again: " + next.Retry(id) + ". Nothing was changed"},
		{kind[git.ErrDirty], Usage, "commit or put aside these changes first; nothing was merged"},
		{same(engine.ErrNotEnded), Usage, "end it first: " + next.Abort(id)},
		{kind[*engine.RefusedError], Usage, next.Show(id) + " tells where it stands"},
		{kind[*store.BusyError], Busy, "try again when the other process has finished"},
		{kind[*store.NewerError], Config, "use the newer ralph that wrote it"},
		{kind[*store.OlderError], Busy, "let it end, or pause it with the ralph that runs it: " + next.Pause(id) + "; ralph status shows it meanwhile"},
		{kind[*store.ClosedError], Config, "let ralph write there; inside of an agent's sandbox: ralph plugin install codex names it as writable"},
		{kind[*store.DiskError], Internal, "look at the disk, or at its quota, and run the command again: what was recorded before stands"},
		{same(engine.ErrUnusable), Internal, "make it usable, and run the command again: what was recorded before stands"},
		{damaged, Internal, next.Doctor("--fix") + " restores what it can, " + next.Archive(id) + " puts the rest away as it is; all other loops and plans can be used"},
		{kind[*store.CorruptError], Internal, "nothing was changed. Move ralph.db, ralph.db-wal and ralph.db-shm elsewhere and keep them; then put a copy in its place (one of yours, or the ralph.db.before-v* that a migration made), or begin with none: branches and worktrees stay"},
		{kind[*store.UnsafeError], Internal, "the folder must be yours and writable for no other user: chown, chmod 700"},
		{kind[*engine.AmbiguousError], Usage, "type more of the id"},
		{kind[git.ErrLocked], Busy, "another git works here, or one died: ralph doctor tells a lock that no process has"},
	}
}

// CodeOf returns the exit code for the outcome of a run.
func CodeOf(s engine.Outcome) int {
	switch s.Status {
	case loop.StatusPassed:
		return Done
	case loop.StatusFailed:
		switch {
		case s.ToolMissing:
			return Missing
		case s.Unprovable:
			return Config
		}
		return Failed
	case loop.Aborted:
		switch s.Reason {
		case loop.Budget:
			return Limit
		case loop.Left: // it continues elsewhere
			return Unfinished
		}
		return Failed
	case loop.Paused:
		switch {
		case s.Limited:
			return Limit
		case s.Ownerless:
			return Human
		}
	case loop.Waiting:
		if s.Reason == loop.Damaged {
			return Internal
		}
		if s.NeedsPerson() || s.Crashed {
			return Human
		}
		if s.Reason.OfProvider() || s.Reason == loop.ForQuiet {
			return Limit
		}
	case loop.Running, loop.Pending:
		if s.Crashed {
			return Human
		}
	}
	return Unfinished
}

// CodeOfStatus is CodeOf for a command that only reads the run: a tool that it lacked
// failed it.
func CodeOfStatus(s engine.Outcome) int {
	if code := CodeOf(s); code != Missing {
		return code
	}
	return Failed
}
