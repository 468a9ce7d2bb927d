package sandbox

import (
	"path/filepath"
	"slices"
)

// shelves are the places in which something may be open for writing.
type shelves struct {
	roots []string
	// common are folders in which each program has one of its own, and those that
	// agents keep their state in: none of them is the package of one program.
	common map[string]bool
}

func (p Profile) shelves() shelves {
	s := shelves{common: map[string]bool{}}
	add := func(path string) {
		if r, ok := real(path); ok && r != "/" {
			s.roots, s.common[r] = append(s.roots, r), true
		}
	}
	if home := p.home(); home != "" {
		add(home)
		for _, name := range append(usualFolders(), agentFolders()...) {
			s.common[filepath.Join(home, name)] = true
		}
	}
	for _, path := range append(p.values(caches()), p.Write...) {
		add(path)
	}
	return s
}

// usualFolders of a home have one for each program in them.
func usualFolders() []string {
	return []string{".local", ".local/share", ".local/state", ".config", ".cache"}
}

// agentFolders are where the agents that ralph knows keep their state.
func agentFolders() []string {
	return []string{".claude", ".codex", ".gemini", ".opencode", ".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"}
}

// holds says whether something at path might be written.
func (s shelves) holds(path string) bool {
	return slices.ContainsFunc(s.roots, func(root string) bool { return within(path, root) })
}
