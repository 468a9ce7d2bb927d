package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repositories returns the git directories in folders that begin with a dot: of
// dotfiles, shell plug-ins, settings. Their hooks and configuration run at the
// user's next commit, and ralph's state for these repositories lies there too.
// They are searched two folders deep, except in caches and in agents' own
// folders, where agents keep repositories of theirs.
func (p Profile) repositories() []string {
	home := p.home()
	if home == "" {
		return nil
	}
	out := gitDirs(home)
	for _, name := range subfolders(home) {
		if !strings.HasPrefix(name, ".") {
			continue
		}
		dir := filepath.Join(home, name)
		out = append(out, gitDirs(dir)...)
		if name == ".cache" || slices.Contains(agentFolders(), name) {
			continue
		}
		out = append(out, gitDirsIn(dir)...)
	}
	for _, name := range []string{".local/share", ".local/state", ".config/vcsh/repo.d"} {
		out = append(out, gitDirsIn(filepath.Join(home, name))...)
	}
	return append(out, p.knownRepositories()...)
}

// withGitDirs returns the rules plus the git directories in folders that the user
// lets agents write: an agent may change the files there, but not what runs at
// the user's next commit. To allow that too, list the .git folder itself. This
// needs mounts: Landlock could protect a part of a folder only by closing the
// whole folder.
func (p Profile) withGitDirs() rules {
	c := p.rules()
	for _, path := range p.Write {
		dir, ok := p.real(path)
		if !ok || dir == "/" {
			continue
		}
		found := append(gitDirs(dir), gitDirsIn(dir)...)
		for _, name := range subfolders(dir) {
			found = append(found, gitDirsIn(filepath.Join(dir, name))...)
		}
		for _, repo := range found {
			if r, ok := p.real(repo); ok && !c.has(r) {
				c.add(rule{path: r})
			}
		}
	}
	return c
}

func gitDirsIn(dir string) []string {
	var out []string
	for _, name := range subfolders(dir) {
		out = append(out, gitDirs(filepath.Join(dir, name))...)
	}
	return out
}

// gitDirs returns the git directory of a folder: .git, or the folder itself where
// it is a bare repository.
func gitDirs(dir string) []string {
	git := filepath.Join(dir, ".git")
	if info, err := os.Lstat(git); err == nil {
		if info.Mode().IsRegular() { // a linked worktree, or a submodule
			return append(commonDir(git), git)
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

// subfolders returns the names of a folder's subfolders, of a very large one the
// first.
func subfolders(dir string) []string {
	var out []string
	for _, e := range list(dir) {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// knownRepositories returns those that ralph has worked in: each has worktrees in
// ralph's state folder.
func (p Profile) knownRepositories() []string {
	var out []string
	for _, trees := range p.based("XDG_STATE_HOME", ".local/state", "ralph/worktrees") {
		for _, pool := range subfolders(trees) {
			for _, tree := range subfolders(filepath.Join(trees, pool)) {
				if dirs := commonDir(filepath.Join(trees, pool, tree, ".git")); len(dirs) > 0 {
					out = append(out, dirs...)
					break // one names the repository of them all
				}
			}
		}
	}
	return out
}

// commonDir returns the folder that all worktrees of a repository share, read
// from the .git file of one of them.
func commonDir(file string) []string {
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
