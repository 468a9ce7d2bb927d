package sandbox

import (
	"context"
	"errors"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// ErrNoNetworkOff says that nothing here can keep a process from the network.
var ErrNoNetworkOff = errors.New("network: off needs bubblewrap")

// Enter is what package proc needs to hold a process by a profile, nil where
// nothing holds it, and what does hold it. Who must be without a network is held
// by bubblewrap also where Landlock was asked for.
func (k *Kit) Enter(ctx context.Context, held loop.Holder, p Profile) (*proc.Inside, loop.Holder, error) {
	bwrap := k.Found(ctx).Bubblewrap
	switch {
	case p.NoNetwork && !bwrap.Works:
		return nil, loop.HeldNone, ErrNoNetworkOff
	case held == loop.HeldBubblewrap, held == loop.HeldLandlock && p.NoNetwork:
		return &proc.Inside{Wrapper: bwrap.wrapper(p)}, loop.HeldBubblewrap, nil
	case held == loop.HeldLandlock:
		return &proc.Inside{Walls: p.walls()}, held, nil
	case p.NoNetwork:
		return bwrap.offline(), loop.HeldNone, nil
	}
	return nil, loop.HeldNone, nil
}

// offline only takes the network from a process, and leaves it everything else.
func (o Offer) offline() *proc.Inside {
	argv := append([]string{o.program}, o.flags...)
	return &proc.Inside{Wrapper: append(argv, "--unshare-pid", "--as-pid-1", "--die-with-parent", "--unshare-net",
		"--dev-bind", "/", "/", "--proc", "/proc", "--")}
}
