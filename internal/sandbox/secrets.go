package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
)

// secret is a place in the home that Write cannot open: a key, or a file that
// decides what other programs run. A process that writes one acts outside of the
// sandbox later.
type secret struct {
	path string
	// file: programs read a file there, not a folder.
	file bool
}

// secrets returns the secrets of the home, folders first, as paths that need not
// exist.
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
		// Many a .profile puts bin on PATH as soon as it exists.
		out = below(home, ".ssh", ".gnupg", "bin", ".local/bin", ".local/state/ralph")
	}
	out = append(out, p.based("XDG_CONFIG_HOME", ".config", "git", "ralph", "fish", "systemd", "autostart", "environment.d")...)
	out = append(out, p.based("XDG_DATA_HOME", ".local/share", "systemd", "applications")...)
	return append(out, p.based("XDG_STATE_HOME", "", "ralph")...)
}

// programFolders returns the folders on PATH: ralph and the user start git, sh
// and agents by name.
func (p Profile) programFolders() []string {
	home := p.home()
	return slices.DeleteFunc(filepath.SplitList(p.get("PATH")), func(dir string) bool {
		r, there := p.real(dir)
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

// based returns names in the folder that a variable names, and in its usual place
// in the home: a login does not have the variables of a terminal.
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

// startup returns places in the home that stay unchanged where they exist. They need
// no placeholders: they matter only where the program that reads them is installed.
func (p Profile) startup() []string {
	if home := p.home(); home != "" {
		return below(home, startupPaths...)
	}
	return nil
}

// versions returns the same of programs in the home.
func (p Profile) versions() []string {
	var paths []string
	if home := p.home(); home != "" {
		paths = below(home, versionPaths()...)
	}
	for _, v := range []struct {
		variable, usual string
		names           []string
	}{
		{"CARGO_HOME", ".cargo", []string{"env*", "bin"}},
		{"RUSTUP_HOME", ".rustup", []string{"toolchains"}},
		{"PYENV_ROOT", ".pyenv", []string{"version", "versions", "shims", "libexec", "plugins", "pyenv.d"}},
		{"ASDF_DATA_DIR", ".asdf", []string{"installs", "shims", "plugins"}},
		{"VOLTA_HOME", ".volta", []string{"bin", "tools", "hooks.json"}},
		{"MISE_DATA_DIR", ".local/share/mise", []string{"installs", "shims", "plugins"}},
		{"NVM_DIR", ".nvm", []string{"*.sh", "bash_completion", "alias", "versions"}},
		{"SDKMAN_DIR", ".sdkman", []string{"bin", "candidates", "src"}},
		{"FNM_DIR", ".local/share/fnm", []string{"aliases", "node-versions"}},
		{"PIPX_HOME", ".local/share/pipx", []string{"venvs", "shared"}},
		{"UV_TOOL_DIR", ".local/share/uv/tools", []string{"."}},
		{"UV_PYTHON_INSTALL_DIR", ".local/share/uv/python", []string{"*"}},
		{"BUN_INSTALL", ".bun", []string{"bin", "install/global"}},
		{"DENO_INSTALL_ROOT", ".deno", []string{"bin"}},
		{"ZSH", ".oh-my-zsh", []string{"."}},
	} {
		paths = append(paths, p.based(v.variable, v.usual, v.names...)...)
	}
	var out []string
	for _, path := range paths {
		if !strings.Contains(filepath.Base(path), "*") {
			out = append(out, path)
			continue
		}
		for _, e := range list(filepath.Dir(path)) {
			if ok, _ := filepath.Match(filepath.Base(path), e.Name()); ok {
				out = append(out, filepath.Join(filepath.Dir(path), e.Name()))
			}
		}
	}
	return out
}

// list returns the entries of a folder, of a very large one the first 1000.
func list(dir string) []os.DirEntry {
	const most = 1000
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(most)
	return entries
}

// startupPaths run at a login, at the start of a shell or of an editor, or hold
// passwords.
var startupPaths = []string{
	".xsession", ".xinitrc", ".xserverrc", ".cshrc", ".tcshrc", ".login", ".logout", ".kshrc", ".mkshrc", ".inputrc",
	".vimrc", ".gvimrc", ".exrc", ".vim", ".config/nvim", ".emacs", ".emacs.d/init.el", ".emacs.d/early-init.el", ".config/emacs",
	".tmux.conf", ".config/tmux", ".screenrc",
	".bashrc.d", ".bash_it", ".oh-my-bash", ".zsh", ".zshrc.d", ".zprezto", ".zplug", ".zinit", ".antigen", ".p10k.zsh", ".config/zsh", ".config/bash",
	".git-credentials", ".netrc", ".config/chezmoi", ".dotfiles", ".local/share/chezmoi", ".local/share/yadm",
}

// versionPaths hold versions of languages and tools that programs on PATH choose
// from when they start.
var versionPaths = sync.OnceValue(func() []string {
	return append(registry.Collect(func(f agent.Footprint) []string { return f.Versions }),
		".rbenv/version", ".rbenv/versions", ".rbenv/shims", ".nodenv/version", ".nodenv/versions", ".nodenv/shims", ".goenv/version", ".goenv/versions", ".goenv/shims",
		".jenv/version", ".jenv/versions", ".jenv/shims", ".tool-versions", ".config/mise", ".ghcup/bin", ".ghcup/ghc", ".proto/tools", ".proto/shims", ".juliaup", ".elan/toolchains",
		".local/pipx/venvs", ".local/share/cursor-agent/versions",
	)
})
