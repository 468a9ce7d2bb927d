package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

type homeWish struct {
	path  string
	write bool
}

// homeWishes: in the home what begins with a dot is settings, logins and caches
// of tools, and may be written; the other folders are the person's work, and may
// not.
func (p Profile) homeWishes() []homeWish {
	var out []homeWish
	if home := p.home(); home != "" {
		entries, err := os.ReadDir(home)
		// Where the person's work cannot be told from the rest, none is opened.
		out = append(out, homeWish{home, err == nil})
		for _, e := range entries {
			// Work lies in folders. A link is what it points to, which has a place
			// of its own; a file may be one that an agent keeps between attempts.
			if !strings.HasPrefix(e.Name(), ".") && e.IsDir() {
				out = append(out, homeWish{filepath.Join(home, e.Name()), false})
			}
		}
		out = append(out, homeWish{filepath.Join(home, "go"), true})
	}
	for _, path := range p.values(caches()) {
		out = append(out, homeWish{path, true})
	}
	return out
}

// caches are the variables by which tools are told where their caches, settings
// and logins are.
func caches() []string {
	return []string{
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
		"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG_DIR",
		"GOCACHE", "GOMODCACHE", "GOPATH", "GOLANGCI_LINT_CACHE", "CARGO_HOME", "RUSTUP_HOME", "CARGO_TARGET_DIR",
		"npm_config_cache", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER", "YARN_GLOBAL_FOLDER", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR", "NVM_DIR", "COREPACK_HOME",
		"PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_CACHE_DIR", "PYENV_ROOT", "PYTHONPYCACHEPREFIX", "CONDA_PKGS_DIRS", "HF_HOME",
		"GRADLE_USER_HOME", "MAVEN_USER_HOME", "GEM_HOME", "BUNDLE_PATH", "COMPOSER_HOME", "NUGET_PACKAGES", "MIX_HOME", "HEX_HOME",
		"CCACHE_DIR", "SCCACHE_DIR", "PLAYWRIGHT_BROWSERS_PATH", "BAZELISK_HOME", "PRE_COMMIT_HOME",
	}
}
