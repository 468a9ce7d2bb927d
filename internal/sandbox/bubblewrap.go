package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// wrapper is the bubblewrap command line for a profile, up to the words of what
// it runs.
func (o Offer) wrapper(p Profile) []string {
	argv := append([]string{o.program}, base(o.flags)...)
	if p.NoNetwork {
		argv = append(argv, "--unshare-net")
	}
	for _, glob := range []string{"/dev/dri", "/dev/kfd", "/dev/nvidia*"} {
		found, _ := filepath.Glob(glob)
		for _, dev := range found {
			argv = append(argv, "--dev-bind", dev, dev)
		}
	}
	all := p.strict()
	c := p.visible(all)
	for _, pin := range all.pins() {
		if !c.has(pin.path) {
			c.add(pin)
		}
	}
	for _, dir := range hidden() {
		if r, ok := real(dir); ok {
			if !c.has(r) {
				c.add(claim{path: r, from: p.Temp, write: true})
			}
		}
	}
	for _, x := range c.sorted() {
		if c.idle(x, all.pins()) {
			continue
		}
		verb, from := "--ro-bind", x.from
		if x.write {
			verb = "--bind"
		}
		if from == "" {
			from = x.path
		}
		argv = append(argv, verb, from, x.path)
	}
	return append(append(argv, covered(p)...), "--")
}

// idle says that a claim repeats what it lies in, so that nothing need be
// mounted for it.
func (c claims) idle(x claim, pins claims) bool {
	if pins.has(x.path) || x.from != "" {
		return false
	}
	roof, ok := c.over(x.path)
	if !ok {
		return !x.write // below the read-only root
	}
	return roof.from == "" && roof.write == x.write
}

// hidden are the folders of temporary files: a run has its own.
func hidden() []string { return []string{"/tmp", "/var/tmp"} }

func temporary(path string) bool {
	return within(path, "/tmp") || within(path, "/var/tmp")
}

// has says whether there is a claim of this very path.
func (c claims) has(path string) bool {
	return slices.ContainsFunc(c, func(x claim) bool { return x.path == path })
}

// covered puts nothing in the place of those sockets.
func covered(p Profile) []string {
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

// sockets are those through which a service of the person's, or of the machine,
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
		if r, ok := real(path); ok && !strings.HasPrefix(r, "/proc/") {
			out = append(out, r)
		}
	}
	return out
}
