package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// wrapper returns the bubblewrap command line for a profile, up to the argv of
// the command.
func (o Mechanism) wrapper(p Profile) []string {
	argv := append([]string{o.program}, base(o.flags)...)
	if p.NoNetwork {
		argv = append(argv, "--unshare-net")
	}
	if p.OwnIPC {
		argv = append(argv, "--unshare-ipc")
	}
	for _, glob := range []string{"/dev/dri", "/dev/kfd", "/dev/nvidia*"} {
		found, _ := filepath.Glob(glob)
		for _, dev := range found {
			argv = append(argv, "--dev-bind", dev, dev)
		}
	}
	all := p.withGitDirs()
	pins := all.pins()
	c := p.exposed(all).with(pins)
	for _, dir := range tempDirs {
		if r, ok := real(dir); ok {
			if !c.has(r) {
				c.add(rule{path: r, from: p.Temp, write: true})
			}
		}
	}
	var last []string
	for _, x := range c.sorted() {
		if x.hidden {
			now, after := x.covers()
			argv, last = append(argv, now...), append(last, after...)
			continue
		}
		if c.redundant(x, pins) {
			continue
		}
		verb, from := "--ro-bind", x.from
		if from == "" {
			// What another process removes meanwhile, such as a worktree, needs no protection.
			verb, from = "--ro-bind-try", x.path
		}
		if x.write {
			verb = "--bind"
		}
		argv = append(argv, verb, from, x.path)
	}
	return append(slices.Concat(argv, last, coveredSockets(p)), "--")
}

// redundant reports whether a rule repeats its parent's, so that it needs no
// mount.
func (c rules) redundant(x rule, pins rules) bool {
	if pins.has(x.path) || x.from != "" {
		return false
	}
	roof, ok := c.parent(x.path)
	if !ok {
		return !x.write // below the read-only root
	}
	return roof.from == "" && roof.write == x.write && !roof.hidden
}

// tempDirs are the folders of temporary files; each run gets its own.
var tempDirs = []string{"/tmp", "/var/tmp"}

func inTemp(path string) bool {
	return within(path, "/tmp") || within(path, "/var/tmp")
}

// has reports whether there is a rule for exactly this path.
func (c rules) has(path string) bool {
	return slices.ContainsFunc(c, func(x rule) bool { return x.path == path })
}

// coveredSockets mounts something empty over each socket.
func coveredSockets(p Profile) []string {
	var argv []string
	for _, path := range p.sockets() {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			argv = append(argv, "--tmpfs", path)
		} else if err == nil {
			argv = append(argv, "--ro-bind", "/dev/null", path)
		}
	}
	return argv
}

// sockets returns those through which a service of the user or of the machine
// would run a command outside.
func (p Profile) sockets() []string {
	run := fmt.Sprintf("/run/user/%d", os.Getuid())
	paths := []string{run + "/bus", run + "/systemd", "/run/systemd/private"}
	if dir := p.get("XDG_RUNTIME_DIR"); dir != "" && dir != run {
		paths = append(paths, filepath.Join(dir, "bus"), filepath.Join(dir, "systemd"))
	}
	if os.Geteuid() == 0 {
		paths = append(paths, "/run/dbus/system_bus_socket")
	}
	var out []string
	for _, path := range paths {
		if r, ok := p.real(path); ok && !strings.HasPrefix(r, "/proc/") {
			out = append(out, r)
		}
	}
	return out
}

// errNoNetworkOff is returned when this machine cannot cut a process off the
// network.
var errNoNetworkOff = errors.New("network: off needs bubblewrap")

// Sandbox returns what package proc needs to sandbox a process by a profile (nil
// for no sandbox) and the mechanism that enforces it. A process without a network
// gets bubblewrap even where Landlock was asked for.
func (k *Capabilities) Sandbox(ctx context.Context, held loop.Holder, p Profile) (*proc.Sandbox, loop.Holder, error) {
	bwrap := k.Detect(ctx).Bubblewrap
	switch {
	case p.NoNetwork && !bwrap.Works:
		return nil, loop.HeldNone, errNoNetworkOff
	case held == loop.HeldBubblewrap, held == loop.HeldLandlock && p.NoNetwork:
		return &proc.Sandbox{Wrapper: bwrap.wrapper(p)}, loop.HeldBubblewrap, nil
	case held == loop.HeldLandlock:
		return &proc.Sandbox{Landlock: p.landlock()}, held, nil
	case p.NoNetwork:
		return bwrap.offline(), loop.HeldNone, nil
	}
	return nil, loop.HeldNone, nil
}

// offline takes away only the network.
func (o Mechanism) offline() *proc.Sandbox {
	argv := append([]string{o.program}, o.flags...)
	return &proc.Sandbox{Wrapper: append(argv, "--unshare-pid", "--as-pid-1", "--die-with-parent", "--unshare-net",
		"--dev-bind", "/", "/", "--proc", "/proc", "--")}
}
