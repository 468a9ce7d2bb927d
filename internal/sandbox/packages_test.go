package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/testing/runnable"
)

// A program is more than its name in a folder on PATH: the target of a link
// there, and its neighbours, are read-only; state of agents and tools is not.
func TestPackagesAreLocked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		links  map[string]string
		path   string
		locked []string
		open   []string
	}{
		"npm -g": {
			map[string]string{".npm-global/bin/tool": "../lib/node_modules/tool/cli.js"},
			".npm-global/bin",
			[]string{".npm-global/lib/node_modules/tool/cli.js", ".npm-global/lib/node_modules/dependency/index.js"},
			[]string{".npm/_cacache/x"},
		},
		"a version": {
			map[string]string{".local/bin/claude": "~/.local/share/claude/versions/2.1"},
			".local/bin",
			[]string{".local/share/claude/versions/2.1", ".local/share/claude/versions/2.2"},
			[]string{".local/share/claude/state", ".local/share/other/x"},
		},
		"nvm": {
			map[string]string{".nvm/versions/node/v20/bin/npm": "../lib/node_modules/npm/cli.js"},
			".nvm/versions/node/v20/bin",
			[]string{".nvm/versions/node/v20/lib/node_modules/npm/cli.js", ".nvm/nvm.sh"},
			[]string{".nvm/.cache/x"},
		},
		"shims": {
			nil, ".pyenv/shims",
			[]string{".pyenv/versions/3.12/bin/python", ".pyenv/versions/3.12/lib/x.py", ".rustup/toolchains/stable/bin/rustc"},
			[]string{".pyenv/cache/x", ".rustup/tmp/x"},
		},
		"a virtual environment": {
			map[string]string{".local/bin/ruff": "~/.local/share/uv/venvs/ruff/bin/ruff"},
			".local/bin",
			[]string{".local/share/uv/venvs/ruff/bin/ruff", ".local/share/uv/venvs/ruff/lib/ruff.py", ".local/share/uv/venvs/ruff/pyvenv.cfg"},
			[]string{".local/share/uv/x", ".cache/uv/x"},
		},
		"a house with state in it": {
			map[string]string{".local/bin/opencode": "~/.local/share/opencode/bin/opencode"},
			".local/bin",
			[]string{".local/share/opencode/bin/opencode"},
			[]string{".local/share/opencode/opencode.db"},
		},
		"a file of an agent's": {
			map[string]string{".local/bin/codex": "~/.codex/codex"},
			".local/bin",
			[]string{".codex/codex"},
			[]string{".codex/auth.json"},
		},
		"links to links": {
			map[string]string{".local/bin/tool": "~/.tools/all/tool", ".tools/all/tool": "../v1/tool"},
			".local/bin",
			[]string{".tools/all/tool", ".tools/v1/tool"},
			[]string{".tools/x"},
		},
		"a link on the way": {
			map[string]string{".sdk/java/current": "21"},
			".sdk/java/current/bin",
			[]string{".sdk/java/21/bin/java", ".sdk/java/21/lib/x", ".sdk/java/22"},
			[]string{".sdk/tmp"},
		},
		"a folder is no program": {
			map[string]string{".local/bin/cache": "~/.cache"}, ".local/bin", nil, []string{".cache/x"},
		},
		"pip --user": {nil, ".local/bin", []string{".local/lib/python3/site-packages/x.py"}, []string{".local/share/x"}},
		"to nowhere, and in a circle": {
			map[string]string{".local/bin/gone": "~/.old/versions/3/tool", ".local/bin/a": "b", ".local/bin/b": "a"}, ".local/bin", nil, []string{".cache/x"},
		},
		"of the system": {
			map[string]string{"usr/bin/tool": "~/.tool/v2/cli.sh", "usr/bin/vi": "vim"},
			"usr/bin",
			[]string{".tool/v2/cli.sh"},
			[]string{".tool/x"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, p := folders(t, "home")
			home := filepath.Join(root, "home")
			place := func(name string) string {
				if strings.HasPrefix(name, "usr/") {
					return filepath.Join(root, name)
				}
				return filepath.Join(home, name)
			}
			put := func(name string) string {
				if err := os.MkdirAll(filepath.Dir(place(name)), 0o700); err != nil {
					t.Fatal(err)
				}
				return place(name)
			}
			for _, name := range slices.Concat(tt.locked, tt.open) {
				if _, ok := tt.links[name]; !ok {
					if err := runnable.Write(put(name), ""); err != nil {
						t.Fatal(err)
					}
				}
			}
			for name, to := range tt.links {
				if err := os.Symlink(strings.Replace(to, "~", home, 1), put(name)); err != nil {
					t.Fatal(err)
				}
			}
			p.Env = []string{"HOME=" + home, "PATH=" + place(tt.path)}
			c := p.rules()
			for path, want := range marked(tt.locked, tt.open) {
				if got := writes(c, place(path)); got != want {
					t.Errorf("%s: %v", path, got)
				}
			}
		})
	}
}

func marked(locked, open []string) map[string]bool {
	out := map[string]bool{}
	for _, path := range locked {
		out[path] = false
	}
	for _, path := range open {
		out[path] = true
	}
	return out
}

// Files that startup files read are read-only where they exist, without placeholders.
func TestStartupPaths(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".cargo/registry", ".oh-my-zsh/custom", ".emacs.d", ".claude")
	for _, name := range []string{".cargo/env", ".cargo/env.fish", ".vimrc", ".netrc", ".git-credentials", ".emacs.d/init.el", ".oh-my-zsh/oh-my-zsh.sh"} {
		if err := os.WriteFile(filepath.Join(home, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := p.rules()
	for path, want := range marked(
		[]string{".cargo/env", ".cargo/env.fish", ".vimrc", ".netrc", ".git-credentials", ".emacs.d/init.el", ".oh-my-zsh/oh-my-zsh.sh", ".oh-my-zsh/custom/x"},
		[]string{".cargo/registry/x", ".emacs.d/x", ".claude/x", ".tmux.conf"},
	) {
		if got := writes(c, filepath.Join(home, path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	leave, err := p.CreatePlaceholders()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if _, err := os.Lstat(filepath.Join(home, ".tmux.conf")); err == nil {
		t.Error("a placeholder where none is needed")
	}
}
