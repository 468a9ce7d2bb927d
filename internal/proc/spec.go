package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Spec describes a process to run and its bounds.
type Spec struct {
	// RunDir is the directory of this run, made 0700 when missing; run.json
	// and exit.json live in it. A directory that already holds a run is
	// refused with ErrUsed: it may have a living child.
	RunDir string
	// Run is the unique token of this run, [A-Za-z0-9._-]{1,128}. The child
	// finds it in its environment as RALPH_RUN, and so does recovery.
	Run string

	// Argv is the command. A name without a slash is looked up in the PATH of
	// Env, not in ralph's.
	Argv []string
	Dir  string
	// Env is the whole environment, except for PWD, which is Dir, and the mark of
	// the run.
	Env []string
	// Sandbox holds the child; nil does not. One that cannot be built is
	// Exit.CannotStart.
	Sandbox *Sandbox
	// Stdin is the path of a file; "" is the null device.
	Stdin string
	// Input, if not nil, is the child's standard input instead: one end of a
	// pipe. Start closes it in this process.
	Input *os.File

	// Stdout receives every byte; nil discards. It is written by one goroutine
	// and must not block for long: a full pipe blocks the child.
	Stdout io.Writer
	// Stderr nil merges into Stdout: one pipe, so the order is kept.
	Stderr io.Writer

	// Timeout: at Soft OnSoft is called once, at Hard the child is ended and
	// Exit.TimedOut set. Zero parts never come. The time of a suspended machine
	// does not count.
	Timeout loop.Deadline
	OnSoft  func()
	// Finished is closed by the caller when the child has given its final result.
	// A child that then does not exit within FinishGrace is ended and counts as
	// finished.
	Finished    <-chan struct{}
	FinishGrace time.Duration // default 10 s
	// Grace passes between TERM and KILL; default 10 s.
	Grace time.Duration
	// Interrupt: an end begins with INT to the child's process group alone, and
	// TERM to all descendants after a third of the grace. Some programs end their
	// own children, and report, only then.
	Interrupt bool

	// patience with a process that does not follow orders, beyond the grace.
	patience time.Duration
}

const defaultGrace = 10 * time.Second

// runVariable marks every process of a run that keeps its environment.
const runVariable = "RALPH_RUN"

// ownerVariable marks the processes that proc starts for ralph itself (shims,
// backgrounds, helpers) and their leftovers; agents and gates never carry it.
const ownerVariable = "RALPH_OWNER"

// ownerMark returns the entry for children of this process.
func ownerMark() string { return ownerVariable + "=" + strconv.Itoa(os.Getpid()) }

// complete fills in the defaults and checks the spec.
func (s Spec) complete() (Spec, error) {
	if len(s.Argv) == 0 || s.Argv[0] == "" {
		return s, errors.New("start child: empty command")
	}
	if !regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`).MatchString(s.Run) {
		return s, fmt.Errorf("start child: run token %q is not [A-Za-z0-9._-]{1,128}", s.Run)
	}
	for _, p := range []*string{&s.RunDir, &s.Dir} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return s, fmt.Errorf("start child in %s: %w", *p, err)
		}
		*p = abs
	}
	if s.Grace <= 0 {
		s.Grace = defaultGrace
	}
	if s.FinishGrace <= 0 {
		s.FinishGrace = defaultGrace
	}
	if s.patience <= 0 {
		s.patience = orderTime
	}
	// Some programs trust PWD, and would work where ralph was started.
	s.Env = append(without(s.Env, runVariable, ownerVariable, "PWD", "OLDPWD"), runVariable+"="+s.Run, "PWD="+s.Dir)
	return s, nil
}

// without drops the named variables, so that a nested run carries its own token
// and not that of the run around it.
func without(env []string, names ...string) []string {
	var kept []string
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		if !slices.Contains(names, name) {
			kept = append(kept, entry)
		}
	}
	return kept
}
