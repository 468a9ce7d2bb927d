package sandbox

import (
	"context"
	"fmt"
	"sync"

	"ralph/internal/loop"
)

// Kit is what this machine offers, found out by trying, once.
type Kit struct {
	// Env is the environment in whose PATH bubblewrap is looked for.
	Env []string

	once  sync.Once
	found Found
}

// Found are the two offers, the better one first.
type Found struct{ Bubblewrap, Landlock Offer }

// Offer is one way to hold a process.
type Offer struct {
	Works bool
	// Why it does not work, and Fix, what a person can do about it.
	Why, Fix string
	// Version of the program, or of the kernel's interface.
	Version string
	// Gap is what it does not hold here although it usually does.
	Gap string

	program string
	// flags are those that must come first on this machine.
	flags []string
}

// Found tries each way with a program that does nothing; the answer is kept.
func (k *Kit) Found(ctx context.Context) Found {
	k.once.Do(func() { k.found = Found{Bubblewrap: tryBubblewrap(ctx, k.Env), Landlock: tryLandlock()} })
	return k.found
}

// UnavailableError says that a sandbox was required and there is none.
type UnavailableError struct {
	Want loop.Sandbox
	Why  string
	Fix  string
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("no sandbox (sandbox: %s): %s", e.Want, e.Why)
}

// Choose is what holds processes, by what was asked for. inPlace: the agent
// works in the person's own tree.
func (k *Kit) Choose(ctx context.Context, want loop.Sandbox, inPlace bool) (loop.Holder, error) {
	if want == loop.SandboxOff || want == "" {
		return loop.HeldNone, nil
	}
	f := k.Found(ctx)
	if inPlace && f.Landlock.Works {
		f.Landlock.Works, f.Landlock.Why = false, "Landlock cannot keep .git from who writes the tree around it (--in-place)"
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
