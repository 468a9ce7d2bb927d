package sandbox

import (
	"path/filepath"
	"slices"
)

// secret is a place in the home that no wish opens: a key, or what decides what
// other programs run. Whoever writes one acts outside of the sandbox later.
type secret struct {
	path string
	// file: a file is read there, not a folder.
	file bool
}

// secrets of the home, folders first, as paths that need not exist.
func (p Profile) secrets() []secret {
	var out []secret
	for _, path := range append(p.secretFolders(), p.programFolders()...) {
		out = append(out, secret{path: filepath.Clean(path)})
	}
	for _, path := range p.secretFiles() {
		out = append(out, secret{path: filepath.Clean(path), file: true})
	}
	return out
}

func (p Profile) secretFolders() []string {
	var out []string
	if home := p.home(); home != "" {
		// Many a .profile puts bin on PATH as soon as it is there.
		out = below(home, ".ssh", ".gnupg", "bin", ".local/bin", ".local/state/ralph")
	}
	out = append(out, p.based("XDG_CONFIG_HOME", ".config", "git", "ralph", "fish", "systemd", "autostart", "environment.d")...)
	out = append(out, p.based("XDG_DATA_HOME", ".local/share", "systemd", "applications")...)
	return append(out, p.based("XDG_STATE_HOME", "", "ralph")...)
}

// programFolders are those on PATH: ralph starts git, sh and agents by their
// names, and so does the person.
func (p Profile) programFolders() []string {
	home := p.home()
	return slices.DeleteFunc(filepath.SplitList(p.get("PATH")), func(dir string) bool {
		r, there := real(dir)
		return !filepath.IsAbs(dir) || there && within(home, r)
	})
}

func (p Profile) secretFiles() []string {
	var out []string
	zsh := []string{".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"}
	if home := p.home(); home != "" {
		out = below(home, ".gitconfig", ".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases",
			".pam_environment", ".xprofile", ".xsessionrc")
		out = append(out, below(home, zsh...)...)
	}
	out = append(out, p.based("ZDOTDIR", "", zsh...)...)
	if file := p.get("GIT_CONFIG_GLOBAL"); filepath.IsAbs(file) {
		out = append(out, file)
	}
	return out
}

// based are names in the folder that a variable tells, and in its usual place of
// the home: a login does not know the variables of a terminal.
func (p Profile) based(variable, usual string, names ...string) []string {
	var out []string
	if home := p.home(); home != "" && usual != "" {
		out = below(filepath.Join(home, usual), names...)
	}
	if dir := p.get(variable); filepath.IsAbs(dir) {
		out = append(out, below(dir, names...)...)
	}
	return out
}

func below(dir string, names ...string) []string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		out = append(out, filepath.Join(dir, name))
	}
	return out
}
