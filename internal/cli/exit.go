package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/sandbox"
	"ralph/internal/store"
)

// The exit codes of every verb (design §8). A panic of Go's own would be 2,
// which users read as "keep iterating"; Main maps it to exitInternal.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUnfinished  = 2
	exitHuman       = 3
	exitLimit       = 4
	exitUsage       = 64
	exitMissing     = 69
	exitInternal    = 70
	exitBusy        = 75
	exitConfig      = 78
	exitTimeout     = 124
	exitInterrupted = 130
	exitTerminated  = 143
)

// failure is an error with the exit code it maps to and what to try next. With
// quiet set the command has already said everything.
type failure struct {
	code  int
	err   error
	hint  string
	quiet bool
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func usage(hint, format string, args ...any) error {
	return &failure{code: exitUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// ends makes a command end with a code and nothing more to say.
func ends(code int) error {
	if code == exitDone {
		return nil
	}
	return &failure{code: code, err: fmt.Errorf("exit code %d", code), quiet: true}
}

// explain is classify with the name of what the command was about, where a hint has
// ID.
func (a *app) explain(err error) *failure {
	f := *classify(err)
	if a.about != "" {
		f.hint = placeholder.ReplaceAllString(f.hint, a.about)
	}
	return &f
}

var placeholder = lazyregexp.New(`\bID\b`)

// classify finds the exit code and the hint of any error.
func classify(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if full, ok := errors.AsType[*engine.FullError](err); ok {
		return &failure{code: exitBusy, err: err, hint: full.Hint()}
	}
	if none, ok := errors.AsType[*sandbox.UnavailableError](err); ok {
		return &failure{code: exitMissing, err: err, hint: none.Fix}
	}
	if no, ok := errors.AsType[*plan.RefusedError](err); ok { // its event is a word of ours
		return &failure{code: exitUsage, err: errors.New(no.Why), hint: "ralph show ID tells where it stands"}
	}
	for _, c := range situations() {
		if c.is(err) {
			return &failure{code: c.code, err: err, hint: c.hint}
		}
	}
	return &failure{code: exitInternal, err: err}
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

func situations() []situation {
	return []situation{
		{same(git.ErrNotRepository), exitUsage, "run ralph inside a git repository, or make one: git init"},
		{same(git.ErrUnborn), exitUsage, "make a first commit: git commit --allow-empty -m 'first'"},
		{same(git.ErrForeignOwner), exitUsage, "the owner can allow it: git config --global --add safe.directory <path>"},
		{same(git.ErrNoGit), exitMissing, "install git 2.38 or newer"},
		{kind[git.ErrTooOld], exitMissing, "install git 2.38 or newer"},
		{kind[git.ErrMissingFilter], exitMissing, "install the filter (for example: git lfs install), or remove it from .gitattributes"},
		{onlyFlags, exitUsage, ""},
		{kind[config.Errors], exitConfig, ""},
		{kind[*config.Error], exitConfig, ""},
		{same(loop.ErrNoHardGate), exitConfig, "name one with --until COMMAND, or write gates into ralph.yaml: ralph init"},
		{same(engine.ErrRunning), exitBusy, "follow it with ralph logs ID -f; take it over with ralph resume ID --take-over"},
		{same(engine.ErrDriven), exitUsage, "its agent checks it with ralph loop check, in your own tree; ralph loop abort ID ends it"},
		{same(engine.ErrSupervised), exitUsage, "ralph status ID"},
		{same(engine.ErrCycle), exitUsage, "leave out --after, or wait for another loop"},
		{same(engine.ErrFenced), exitBusy, "another process runs it now; ralph logs ID -f follows it"},
		{same(engine.ErrExists), exitUsage, "choose another --loop-id"},
		{same(engine.ErrNoPattern), exitUsage, "ralph learn list --all tells the numbers"},
		{same(engine.ErrUnfit), exitUsage, "ralph learn add --help"},
		{same(engine.ErrPlanArchived), exitUsage, "ralph show ID"},
		{same(engine.ErrNotFound), exitUsage, "ralph status --all lists the loops and plans of this repository"},
		{same(engine.ErrNoArtifact), exitUsage, "ralph loop artifacts lists them"},
		{same(engine.ErrLargeArtifact), exitUsage, "publish a smaller file, or the part of it that others need"},
		{same(engine.ErrChangedArtifact), exitFailed, "nothing was taken; ask the loop that offered it to publish it again"},
		{same(engine.ErrEnded), exitUsage, "ralph retry ID starts a supervised one anew; an agent begins another with ralph loop init"},
		{same(engine.ErrNoCheckpoint), exitUsage, "ralph show ID --checkpoints lists them"},
		{same(engine.ErrNested), exitUsage, "nothing was changed"},
		{same(engine.ErrNotPassed), exitUsage, "ralph show ID tells how it ended"},
		{same(engine.ErrDetached), exitUsage, "git switch BRANCH"},
		{kind[*engine.NotGreenError], exitFailed, "your branch has moved since the work began, and nothing was merged: ralph retry ID does the task again from where it is now; ralph show ID --diff, or merge by hand"},
		{kind[git.ErrRefMoved], exitBusy, "another git command, or another ralph, moved it meanwhile, and it was left as it is: run it again"},
		{kind[git.ErrConflict], exitFailed, "nothing was merged; merge its branch by hand (ralph show ID names it), or have the task done again from where your branch is now: ralph retry ID"},
		{kind[git.ErrDamaged], exitInternal, "git fsck tells which; git fetch from a clone that has them, or do the work again: ralph retry ID. Nothing was changed"},
		{kind[git.ErrDirty], exitUsage, "commit or put aside these changes first; nothing was merged"},
		{same(engine.ErrNotEnded), exitUsage, "end it first: ralph abort ID"},
		{kind[*loop.Refused], exitUsage, "ralph show ID tells where it stands"},
		{kind[*store.BusyError], exitBusy, "try again when the other process has finished"},
		{kind[*store.NewerError], exitConfig, "use the newer ralph that wrote it"},
		{kind[*store.ClosedError], exitConfig, "let ralph write there; inside of an agent's sandbox: ralph plugin install codex names it as writable"},
		{kind[*store.CorruptError], exitInternal, "nothing was changed; ralph doctor tells more"},
		{kind[*store.AmbiguousError], exitUsage, "type more of the id"},
		{kind[git.ErrLocked], exitBusy, "another git works here, or one died: look at the lock file it names"},
	}
}

// codeOf returns the exit code for the outcome of a run.
func codeOf(s engine.Outcome) int {
	switch s.Status {
	case loop.StatusPassed:
		return exitDone
	case loop.StatusFailed:
		return exitFailed
	case loop.Aborted:
		if s.Reason == loop.Budget {
			return exitLimit
		}
		return exitFailed
	case loop.Paused:
		if s.Limited {
			return exitLimit
		}
	case loop.Waiting:
		if s.NeedsPerson() {
			return exitHuman
		}
		if s.Reason == loop.ForLimit {
			return exitLimit
		}
	}
	return exitUnfinished
}
