package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// known are places in the home that are kept as they are where they are there, and
// not kept from being made: they mean something only to who has the program that
// reads them.
func (p Profile) known() []string {
	var paths []string
	if home := p.home(); home != "" {
		paths = below(home, append(startPlaces(), versionPlaces()...)...)
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
		for _, e := range listed(filepath.Dir(path)) {
			if ok, _ := filepath.Match(filepath.Base(path), e.Name()); ok {
				out = append(out, filepath.Join(filepath.Dir(path), e.Name()))
			}
		}
	}
	return out
}

// listed is a folder's entries, of a very large one the first.
func listed(dir string) []os.DirEntry {
	const most = 1000
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(most)
	return entries
}

// startPlaces run at a login, at the start of a shell or of an editor, or hold
// passwords.
func startPlaces() []string {
	return []string{
		".xsession", ".xinitrc", ".xserverrc", ".cshrc", ".tcshrc", ".login", ".logout", ".kshrc", ".mkshrc", ".inputrc",
		".vimrc", ".gvimrc", ".exrc", ".vim", ".config/nvim", ".emacs", ".emacs.d/init.el", ".emacs.d/early-init.el", ".config/emacs",
		".tmux.conf", ".config/tmux", ".screenrc",
		".bashrc.d", ".bash_it", ".oh-my-bash", ".zsh", ".zshrc.d", ".zprezto", ".zplug", ".zinit", ".antigen", ".p10k.zsh", ".config/zsh", ".config/bash",
		".git-credentials", ".netrc", ".config/chezmoi", ".dotfiles", ".local/share/chezmoi", ".local/share/yadm",
	}
}

// versionPlaces hold versions of languages and tools that programs on PATH choose
// from when they start.
func versionPlaces() []string {
	return []string{
		".rbenv/version", ".rbenv/versions", ".rbenv/shims", ".nodenv/version", ".nodenv/versions", ".nodenv/shims", ".goenv/version", ".goenv/versions", ".goenv/shims",
		".jenv/version", ".jenv/versions", ".jenv/shims", ".tool-versions", ".config/mise", ".ghcup/bin", ".ghcup/ghc", ".proto/tools", ".proto/shims", ".juliaup", ".elan/toolchains",
		".local/pipx/venvs", ".local/share/claude/versions", ".claude/local", ".local/share/cursor-agent/versions",
	}
}
