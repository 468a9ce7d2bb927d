package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"

	"github.com/google/go-cmp/cmp"
)

// tree creates folders and links below a folder among temporary files.
func tree(t *testing.T, files []string, links map[string]string) string {
	t.Helper()
	root, err := os.MkdirTemp("/tmp", "seen-") //nolint:usetesting // TMPDIR may lead elsewhere, and this is about /tmp.
	if err != nil {
		tier.SkipLacking(t, "a writable /tmp", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	put := func(name string, make func(string) error) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := make(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range files {
		put(name, func(path string) error { return runnable.Write(path, "") })
	}
	for name, to := range links {
		put(name, func(path string) error { return os.Symlink(to, path) })
	}
	return root
}

// The target of a link on PATH is visible, with what it needs.
func TestVisible(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files []string
		links map[string]string
		path  string
		named []string
		want  map[string]bool
	}{
		"npm -g": {
			[]string{"npm/lib/node_modules/@a/agent/cli.js", "other/secret"},
			map[string]string{"npm/bin/agent": "../lib/node_modules/@a/agent/cli.js"},
			"npm/bin", nil,
			map[string]bool{"npm/bin/agent": true, "npm/lib/node_modules/@a/agent/cli.js": true, "npm/lib/node_modules/dep": true, "other/secret": false},
		},
		"npm in a project": {
			[]string{"p/node_modules/agent/cli.js", "p/notes"},
			map[string]string{"p/node_modules/.bin/agent": "../agent/cli.js"},
			"p/node_modules/.bin", nil,
			map[string]bool{"p/node_modules/.bin/agent": true, "p/node_modules/agent/cli.js": true, "p/node_modules/dep": true, "p/notes": false},
		},
		"links to links": {
			[]string{"c/real.sh"},
			map[string]string{"a/agent": "../b/agent", "b/agent": "../c/real.sh"},
			"a", nil,
			map[string]bool{"a/agent": true, "b/agent": true, "c/real.sh": true},
		},
		"a virtual environment": {
			[]string{"venv/pyvenv.cfg", "venv/bin/agent"},
			nil, "venv/bin", nil,
			map[string]bool{"venv/bin/agent": true, "venv/pyvenv.cfg": true},
		},
		"a link that is named": {
			[]string{"c/real.sh", "d/x"},
			map[string]string{"a/agent": "../c/real.sh"},
			"none",
			[]string{"a/agent"},
			map[string]bool{"a/agent": true, "c/real.sh": true, "d/x": false},
		},
		"a folder by a link": {
			[]string{"v1/bin/agent", "v1/lib/x", "v2/x"},
			map[string]string{"current": "v1"},
			"current/bin", nil,
			map[string]bool{"current/bin/agent": true, "current/lib/x": true, "v1/bin/agent": true, "v2/x": false},
		},
		"a folder by a link, behind a link": {
			[]string{"v1/bin/agent", "v1/lib/x"},
			map[string]string{"a/agent": "../current/bin/agent", "current": "v1"},
			"a", nil,
			map[string]bool{"a/agent": true, "current/bin/agent": true, "v1/lib/x": true},
		},
		"a folder elsewhere by a link": {
			nil, map[string]string{"u": "/usr"}, "u/bin", nil, map[string]bool{"u/bin/env": true, "x": false},
		},
		"a folder by two links": {
			[]string{"v1/bin/agent"},
			map[string]string{"one/two": "../v1", "current": "one"},
			"current/two/bin", nil,
			map[string]bool{"current/two/bin/agent": true, "v1/bin/agent": true, "one/x": false},
		},
		"a file by a link that is named": {
			[]string{"v1/agent", "v1/x"},
			map[string]string{"current": "v1"},
			"none",
			[]string{"current/agent"},
			map[string]bool{"current/agent": true, "v1/x": true},
		},
		"a circle, and one that leads nowhere": {
			nil,
			map[string]string{"a/x": "y", "a/y": "x", "a/z": "../gone/z"},
			"a", nil,
			map[string]bool{"a/x": true, "gone/z": false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := tree(t, tt.files, tt.links)
			p := Profile{Env: []string{"PATH=/usr/bin:" + filepath.Join(root, tt.path)}, Temp: t.TempDir()}
			for _, n := range tt.named {
				p.Visible = append(p.Visible, filepath.Join(root, n))
			}
			c := p.exposed(p.rules())
			got := map[string]bool{}
			for path := range tt.want {
				roof, ok := c.parent(filepath.Join(root, path))
				got[path] = ok && within(roof.path, root)
				if ok && roof.write {
					t.Errorf("%s can be written", path)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Covered sockets stay covered under every name.
func TestVisibleOpensNoSocket(t *testing.T) {
	t.Parallel()
	root := tree(t, []string{"run/bus", "run/x"}, map[string]string{"link": "run"})
	elsewhere := filepath.Join(root, "run")
	p := Profile{Env: []string{"XDG_RUNTIME_DIR=" + elsewhere}, Temp: t.TempDir(), Visible: []string{filepath.Join(root, "link/x")}}
	if c := p.exposed(p.rules()); c.has(filepath.Join(root, "link")) {
		t.Errorf("%+v", c)
	}
}

// A dangling link, which bubblewrap could not mount, is left out.
func TestVisibleDanglingLink(t *testing.T) {
	t.Parallel()
	root := tree(t, nil, map[string]string{"x": "gone"})
	link := root + "-link"
	if err := os.Symlink("/gone/x", link); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(link) })
	p := Profile{Temp: t.TempDir(), Visible: []string{link}}
	if c := p.exposed(p.rules()); c.has(link) {
		t.Errorf("%+v", c)
	}
}
