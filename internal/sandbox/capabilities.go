package sandbox

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ralph/internal/loop"
)

// Capabilities are the sandboxes that this machine offers, detected once by
// trying them.
type Capabilities struct {
	// Env is the environment whose PATH is searched for bubblewrap.
	Env []string
	// Memory is a directory of the user's own in which what works is remembered for
	// the next process, for an hour; empty remembers nothing.
	Memory string

	mu       sync.Mutex
	support  *Support
	rooms    map[string]Rooms // by the directory of the layers
	recalled bool             // something was remembered, not tried
}

// Support describes both mechanisms, the better one first.
type Support struct{ Bubblewrap, Landlock Mechanism }

// Mechanism is one way to sandbox a process.
type Mechanism struct {
	Works bool
	// Why it does not work, and Fix, what the user can do about it.
	Why, Fix string
	// Version of the program, or of the kernel's interface.
	Version string
	// Gap is what it does not enforce here although it usually does.
	Gap string

	// lack is why it could not be tried, such as a full disk for temporary files.
	lack    error
	program string
	// flags must come first on this machine.
	flags []string
}

// Detect tries each mechanism with a program that does nothing, once.
func (k *Capabilities) Detect(ctx context.Context) Support {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.detect(ctx)
}

func (k *Capabilities) detect(ctx context.Context) Support {
	if k.support != nil {
		return *k.support
	}
	found := Support{Bubblewrap: k.bubblewrap(ctx), Landlock: tryLandlock()}
	if found.Bubblewrap.lack == nil {
		k.support = &found
	}
	return found
}

// workingBubblewrap is what a trial of bubblewrap found.
type workingBubblewrap struct {
	Flags   []string `json:"flags"`
	Version string   `json:"version"`
}

// bubblewrap tries bubblewrap, unless it worked in the last hour and nothing that
// can be seen has changed since.
func (k *Capabilities) bubblewrap(ctx context.Context) Mechanism {
	program, none := findBubblewrap(k.Env)
	if program == "" {
		return none
	}
	facts := append(systemFacts(), append(base(nil), fileFacts(program))...)
	var tried *Mechanism
	known := recalled(k, "bubblewrap", facts, func() (workingBubblewrap, bool) {
		m := tryBubblewrap(ctx, program, k.Env)
		tried = &m
		return workingBubblewrap{Flags: m.flags, Version: m.Version}, m.Works
	})
	if tried != nil {
		return *tried
	}
	return Mechanism{Works: true, Version: known.Version, program: program, flags: known.Flags}
}

// recalled is what a trial of that name found in the last hour, where nothing that can
// be seen has changed since; else what it finds now. That is remembered where it works.
func recalled[T any](k *Capabilities, name string, facts []string, try func() (found T, works bool)) T {
	var known T
	if k.memory().recall(name, facts, &known) {
		k.recalled = true
		return known
	}
	found, works := try()
	if works {
		k.memory().remember(name, facts, found)
	}
	return found
}

// Doubt forgets what was remembered, so that everything is tried again: a sandbox
// could not be built. It reports whether anything had been remembered.
func (k *Capabilities) Doubt() bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.memory().forget()
	was := k.recalled
	if was {
		k.support, k.rooms, k.recalled = nil, nil, false
	}
	return was
}

func (k *Capabilities) memory() memory { return memory{dir: k.Memory, now: time.Now} }

// UnavailableError is returned when a sandbox is required and none works.
type UnavailableError struct {
	Want loop.Sandbox
	Why  string
	Fix  string
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("no sandbox (sandbox: %s): %s", e.Want, e.Why)
}

// Choose returns the mechanism for a requested sandbox. inPlace: the agent works
// in the user's own tree.
func (k *Capabilities) Choose(ctx context.Context, want loop.Sandbox, inPlace bool) (loop.Holder, error) {
	if want == loop.SandboxOff || want == "" {
		return loop.HeldNone, nil
	}
	f := k.Detect(ctx)
	if inPlace && f.Landlock.Works {
		f.Landlock.Works, f.Landlock.Why = false, "Landlock cannot protect .git inside a writable tree (--in-place)"
	}
	if f.Bubblewrap.lack != nil && want != loop.SandboxLandlock { // a weaker one for want of room would be no choice
		return loop.HeldNone, fmt.Errorf("choose a sandbox: %w", f.Bubblewrap.lack)
	}
	switch {
	case f.Bubblewrap.Works && want != loop.SandboxLandlock:
		return loop.HeldBubblewrap, nil
	case f.Landlock.Works && want != loop.SandboxBubblewrap:
		return loop.HeldLandlock, nil
	case want == loop.SandboxAuto:
		return loop.HeldNone, nil
	case want == loop.SandboxLandlock:
		return loop.HeldNone, &UnavailableError{want, f.Landlock.Why, f.Landlock.Fix}
	case want == loop.SandboxBubblewrap:
		return loop.HeldNone, &UnavailableError{want, f.Bubblewrap.Why, f.Bubblewrap.Fix}
	}
	return loop.HeldNone, &UnavailableError{want, f.Bubblewrap.Why + "; " + f.Landlock.Why, f.Bubblewrap.Fix}
}
