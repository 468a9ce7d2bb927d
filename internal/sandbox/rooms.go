package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/sandbox/room"
)

// Rooms describes the clean rooms of this machine.
type Rooms struct {
	// Kind is the best that works: RoomOverlay, RoomOverlayDisk or RoomCopy.
	Kind loop.Room
	// Disk: layers can keep their changes on the file system of the loops, so that
	// agents can have a HOME of their own.
	Disk bool
	// Why the best kind does not work; empty where it does.
	Why string
	// Home is why the user's HOME cannot be covered by a layer; empty where it can.
	Home string
}

// LayerRoot returns the directory in which layers keep their changes, and makes it
// for this user alone. It is not in the HOME, since a layer cannot lie in a
// directory that it covers, and outlives a restart of the machine.
func LayerRoot() (string, error) {
	dir := filepath.Join("/var/tmp", "ralph-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a directory for layers: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !owned(info) {
		return "", fmt.Errorf("%s is not a directory of this user alone", dir)
	}
	return dir, nil
}

// Layered reports whether the rooms are made of layers.
func (r Rooms) Layered() bool { return r.Kind == loop.RoomOverlay || r.Kind == loop.RoomOverlayDisk }

// Rooms tries, once for each directory, which rooms work with layers whose changes
// lie below dir, and whether the HOME of the environment can be covered.
func (k *Capabilities) Rooms(ctx context.Context, dir string) Rooms {
	if k == nil {
		return Rooms{Kind: loop.RoomCopy, Why: "not tried"}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.rooms[dir]; ok {
		return r
	}
	r := k.knownRooms(ctx, dir)
	if ctx.Err() == nil {
		if k.rooms == nil {
			k.rooms = map[string]Rooms{}
		}
		k.rooms[dir] = r
	}
	return r
}

// knownRooms tries the rooms, but for what worked in the last hour: layers as such,
// and layers over the HOME.
func (k *Capabilities) knownRooms(ctx context.Context, dir string) Rooms {
	facts := append(systemFacts(), readText("/proc/self/mountinfo"), dir)
	name := digest([]string{dir})[:12]
	r := recalled(k, "layers-"+name, facts, func() (Rooms, bool) {
		r := k.tryLayers(ctx, dir)
		return r, r.Kind == loop.RoomOverlay && r.Disk
	})
	if r.Layered() {
		p := Profile{Env: k.Env}
		facts = append(append(facts, p.home()), p.HomeRoots()...)
		r.Home = recalled(k, "home-"+name, facts, func() (string, bool) {
			why := k.tryHome(ctx, dir, r)
			return why, why == ""
		})
	}
	return r
}

// HomeRoots returns the directories in which tools keep settings and caches: the
// HOME, the places that variables and links name outside of it, and what is
// mounted in one of these.
func (p Profile) HomeRoots() []string {
	p = p.Scan()
	all := append([]string{p.home()}, p.values(cacheVariables())...)
	for _, l := range p.scan.links {
		if l.why == "" {
			all = append(all, l.to)
		}
	}
	var roots []string
	for _, path := range all {
		if r, ok := p.real(path); ok && r != "/" && isDir(r) {
			roots = append(roots, r)
		}
	}
	roots = outermost(roots)
	for _, point := range mountPoints() {
		if isDir(point) && slices.ContainsFunc(roots, func(r string) bool { return point != r && within(point, r) }) {
			roots = append(roots, point)
		}
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// outermost leaves out directories that lie in another of the list.
func outermost(dirs []string) []string {
	var out []string
	for _, d := range dirs {
		if !slices.ContainsFunc(dirs, func(o string) bool { return o != d && within(d, o) }) {
			out = append(out, d)
		}
	}
	return out
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// mountPoints returns those of this process.
func mountPoints() []string {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	var out []string
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 4 {
			out = append(out, unescape.Replace(f[4]))
		}
	}
	return out
}

// PrivateTemp returns the mounts that give a process temporary directories of its
// own, without bubblewrap: what the profile exposes in them stays visible.
func (p Profile) PrivateTemp(write bool) []room.Mount {
	var out []room.Mount
	private := append(slices.Clone(tempDirs), "/dev/shm")
	for _, dir := range private {
		if r, ok := p.real(dir); ok {
			out = append(out, room.Mount{Kind: room.Empty, At: r, Mode: 0o1777, Optional: r != dir})
		}
	}
	c := p.exposed(p.rules())
	for _, x := range c.sorted() {
		roof, ok := c.parent(x.path)
		inside := slices.ContainsFunc(private, func(dir string) bool { return x.path != dir && within(x.path, dir) })
		if !inside || x.hidden || ok && x.from == "" && roof.write == x.write && inTemp(roof.path) && !slices.Contains(private, roof.path) {
			continue
		}
		from := x.from
		if from == "" {
			from = x.path
		}
		kind := room.ReadOnly
		if x.write || write {
			kind = room.Bind
		}
		out = append(out, room.Mount{Kind: kind, At: x.path, From: []string{from}, Optional: true})
	}
	return out
}
