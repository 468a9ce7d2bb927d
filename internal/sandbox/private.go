package sandbox

import (
	"path/filepath"
	"slices"

	"ralph/internal/sandbox/room"
)

// In returns the profile of a process that starts in a room; nil is none. What it
// writes into a layer of the room is thrown away and decides nothing that the user runs,
// so the settings there need no mounts of their own. Programs stay as they are: an agent
// that updated itself would do so once a loop.
func (p Profile) In(view *room.Spec) Profile {
	p.view, p.scan = view, nil
	return p
}

// private reports whether a real path lies in a layer of the process's room, with
// everything below it.
func (p Profile) private(path string) bool {
	if p.view == nil {
		return false
	}
	layer, at := false, ""
	for _, m := range p.view.Mounts {
		if within(path, m.At) && len(m.At) >= len(at) {
			layer, at = m.Kind == room.Overlay || m.Kind == room.Empty, m.At
		}
		if m.Kind == room.Bind && within(m.At, path) {
			return false
		}
	}
	return layer
}

// layered reports whether a layer of the process's room lies over a real path.
func (p Profile) layered(path string) bool {
	return p.view != nil && slices.ContainsFunc(p.view.Mounts, func(m room.Mount) bool {
		return m.Kind == room.Overlay && within(path, m.At)
	})
}

// HoldMounts keep read-only what lies in a layer that Landlock opens: it could except a part
// of a folder only by closing the folder to new files.
func (p Profile) HoldMounts() []room.Mount {
	all := p.withGitDirs()
	pins := all.pins()
	c := all.with(pins)
	var out []room.Mount
	for _, x := range c.sorted() {
		if x.soft || !p.layered(filepath.Dir(x.path)) || c.redundant(x, pins) {
			continue
		}
		m := room.Mount{Kind: room.ReadOnly, At: x.path, From: []string{x.path}}
		if x.write {
			m.Kind = room.Bind
		}
		out = append(out, m)
	}
	return out
}
