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

// homeRules opens what begins with a dot in the home: settings, logins and caches
// of tools. The other folders are the user's work and stay read-only.
func (p Profile) homeRules() []rule {
	var out []rule
	if home := p.home(); home != "" {
		entries, err := os.ReadDir(home)
		// A home that cannot be listed stays closed as a whole.
		out = append(out, rule{path: home, write: err == nil})
		for _, e := range entries {
			// Work lies in folders. A link is judged by its target; a file may be
			// one that an agent keeps between attempts.
			if !strings.HasPrefix(e.Name(), ".") && e.IsDir() {
				out = append(out, rule{path: filepath.Join(home, e.Name()), write: false})
			}
		}
		out = append(out, rule{path: filepath.Join(home, "go"), write: true})
	}
	for _, path := range p.values(cacheVariables()) {
		out = append(out, rule{path: path, write: true})
	}
	return out
}

// cacheVariables tell tools where their caches, settings and logins are.
var cacheVariables = sync.OnceValue(func() []string {
	return append(registry.Collect(agent.Footprint.AllVariables),
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
		"GOCACHE", "GOMODCACHE", "GOPATH", "GOLANGCI_LINT_CACHE", "CARGO_HOME", "RUSTUP_HOME", "CARGO_TARGET_DIR",
		"npm_config_cache", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER", "YARN_GLOBAL_FOLDER", "PNPM_HOME", "BUN_INSTALL", "DENO_DIR", "NVM_DIR", "COREPACK_HOME",
		"PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_CACHE_DIR", "PYENV_ROOT", "PYTHONPYCACHEPREFIX", "CONDA_PKGS_DIRS", "HF_HOME",
		"GRADLE_USER_HOME", "MAVEN_USER_HOME", "GEM_HOME", "BUNDLE_PATH", "COMPOSER_HOME", "NUGET_PACKAGES", "MIX_HOME", "HEX_HOME",
		"CCACHE_DIR", "SCCACHE_DIR", "PLAYWRIGHT_BROWSERS_PATH", "BAZELISK_HOME", "PRE_COMMIT_HOME",
	)
})

// CacheVariables returns the variables that name directories of caches, settings
// and logins.
func CacheVariables() []string { return slices.Clone(cacheVariables()) }

// CreateStateDirs creates the folders in which an agent keeps its state. Under
// Landlock nothing new can be created in a home, so an agent that has never run
// there could not start. Where they cannot be created the agent reports it.
func (p Profile) CreateStateDirs(name string) {
	home := p.home()
	if home == "" {
		return
	}
	dirs := []string{agent.StateDir{Variable: "XDG_CACHE_HOME", Usual: ".cache"}.In(home, p.get)}
	if n, ok := registry.Find(name); ok {
		for _, d := range n.Footprint().State {
			dirs = append(dirs, d.In(home, p.get))
		}
	}
	for _, dir := range dirs {
		_ = os.MkdirAll(dir, 0o700)
	}
}
