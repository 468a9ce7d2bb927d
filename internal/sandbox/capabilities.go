package sandbox

import (
	"context"
	"fmt"
	"sync"

	"ralph/internal/loop"
)

// Capabilities are the sandboxes that this machine offers, detected once by
// trying them.
type Capabilities struct {
	// Env is the environment whose PATH is searched for bubblewrap.
	Env []string

	once    sync.Once
	support Support
	rooms   rooms
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

	program string
	// flags must come first on this machine.
	flags []string
}

// Detect tries each mechanism with a program that does nothing, once.
func (k *Capabilities) Detect(ctx context.Context) Support {
	k.once.Do(func() { k.support = Support{Bubblewrap: tryBubblewrap(ctx, k.Env), Landlock: tryLandlock()} })
	return k.support
}

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
