package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repositories are what git keeps of other repositories where folders begin with a
// dot: of dotfiles, plug-ins of a shell, settings. Their hooks and configuration
// run at the person's next commit, and ralph's memory of their loops lies there
// too. They are looked for two folders deep, but for caches, and for agents' own
// folders, where agents keep repositories of theirs.
func (p Profile) repositories() []string {
	home := p.home()
	if home == "" {
		return nil
	}
	out := kept(home)
	for _, name := range subfolders(home) {
		if !strings.HasPrefix(name, ".") {
			continue
		}
		dir := filepath.Join(home, name)
		out = append(out, kept(dir)...)
		if name == ".cache" || slices.Contains(agentFolders(), name) {
			continue
		}
		out = append(out, keptIn(dir)...)
	}
	for _, name := range []string{".local/share", ".local/state", ".config/vcsh/repo.d"} {
		out = append(out, keptIn(filepath.Join(home, name))...)
	}
	return append(out, p.knownRepositories()...)
}

// strict are the claims with what git keeps in folders that a person lets agents
// write: the files there are theirs to change, what runs at the person's next
// commit is not. Who wants that too names the .git folder itself. It takes mounts:
// Landlock could spare a part of a folder only by closing the folder.
func (p Profile) strict() claims {
	c := p.claims()
	for _, path := range p.Write {
		dir, ok := real(path)
		if !ok || dir == "/" {
			continue
		}
		found := append(kept(dir), keptIn(dir)...)
		for _, name := range subfolders(dir) {
			found = append(found, keptIn(filepath.Join(dir, name))...)
		}
		for _, repo := range found {
			if r, ok := real(repo); ok && !c.has(r) {
				c.add(claim{path: r})
			}
		}
	}
	return c
}

func keptIn(dir string) []string {
	var out []string
	for _, name := range subfolders(dir) {
		out = append(out, kept(filepath.Join(dir, name))...)
	}
	return out
}

// kept is what git keeps in a folder: .git, or the whole of it where it is a bare
// repository.
func kept(dir string) []string {
	git := filepath.Join(dir, ".git")
	if info, err := os.Lstat(git); err == nil {
		if info.Mode().IsRegular() { // of a linked worktree, or a submodule
			return append(common(git), git)
		}
		return []string{git}
	}
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return nil
		}
	}
	return []string{dir}
}

// subfolders are the names of those of a folder, of a very large one the first.
func subfolders(dir string) []string {
	var out []string
	for _, e := range listed(dir) {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// knownRepositories are those that ralph has worked in: each has worktrees in a
// folder of ralph's.
func (p Profile) knownRepositories() []string {
	var out []string
	for _, trees := range p.based("XDG_STATE_HOME", ".local/state", "ralph/worktrees") {
		for _, pool := range subfolders(trees) {
			for _, tree := range subfolders(filepath.Join(trees, pool)) {
				if dirs := common(filepath.Join(trees, pool, tree, ".git")); len(dirs) > 0 {
					out = append(out, dirs...)
					break // one tells of them all
				}
			}
		}
	}
	return out
}

// common is the folder that all worktrees of a repository share, as the file .git
// of one of them tells.
func common(file string) []string {
	text, err := os.ReadFile(file)
	to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return nil
	}
	to = absolute(filepath.Dir(file), to)
	if before, _, ok := strings.Cut(to, "/worktrees/"); ok {
		return []string{before}
	}
	return []string{to}
}
