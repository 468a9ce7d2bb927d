package worker

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write makes the files, "path" or "path=content", below a folder; "path->target" is a link.
func write(t *testing.T, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		at, content, _ := strings.Cut(name, "=")
		at, target, link := strings.Cut(at, "->")
		at = filepath.Join(root, at)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if link {
			if err := os.Symlink(target, at); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAddPackages(t *testing.T) {
	t.Parallel()
	const venv = "pyvenv.cfg=include-system-site-packages = false"
	for name, c := range map[string]struct {
		base, work, tracked, want, others []string
	}{
		"the first package":          {work: []string{"node_modules/round/index.js", "node_modules/.package-lock.json"}, want: []string{"node_modules/round/index.js"}},
		"a link to a folder":         {work: []string{"node_modules/round->../round"}, want: []string{"node_modules/round"}},
		"beside others":              {base: []string{"node_modules/jest/a.js=1"}, work: []string{"node_modules/jest/a.js=2", "node_modules/jest/b.js", "node_modules/round/a.js"}, want: []string{"node_modules/round/a.js"}},
		"of a scope":                 {base: []string{"node_modules/@a/b/a.js"}, work: []string{"node_modules/@a/b/new.js", "node_modules/@a/c/a.js"}, want: []string{"node_modules/@a/c/a.js"}},
		"a link in place of a scope": {work: []string{"node_modules/@a->../evil"}},
		"pnpm": {
			base: []string{"node_modules/.pnpm/jest@1/node_modules/jest/a.js", "node_modules/jest->.pnpm/jest@1/node_modules/jest"},
			work: []string{"node_modules/.pnpm/jest@1/node_modules/jest/b.js", "node_modules/.pnpm/round@1/node_modules/round/a.js", "node_modules/round->.pnpm/round@1/node_modules/round"},
			want: []string{"node_modules/.pnpm/round@1/node_modules/round/a.js", "node_modules/round"},
		},
		"another version":          {base: []string{"node_modules/x/package.json=1"}, work: []string{"node_modules/x/package.json=2"}, others: []string{"x"}},
		"the same version":         {base: []string{"node_modules/x/package.json=1"}, work: []string{"node_modules/x/package.json=1", "node_modules/x/patched.js"}},
		"a module for a package":   {base: []string{"node_modules/x/a.js"}, work: []string{"node_modules/x.js", "node_modules/x.node/a.js"}},
		"nearer than the base's":   {base: []string{"node_modules/x/a.js"}, work: []string{"web/node_modules/x/a.js", "web/node_modules/y/a.js"}, want: []string{"web/node_modules/y/a.js"}},
		"nearer than a committed":  {tracked: []string{"lib/node_modules/@s/x/a.js"}, work: []string{"node_modules/@s/x/a.js"}},
		"a program of the machine": {work: []string{"node_modules/.bin/sh", "node_modules/.bin/round-it"}, want: []string{"node_modules/.bin/round-it"}},
		"what is no package":       {work: []string{"build/tool.js", "node_modules/.cache/x"}},
		"a plug-in":                {work: []string{"node_modules/prettier-plugin-x/a.js"}},
		"python": {
			base: []string{"v/" + venv, "v/lib/python3/site-packages/pytest.py", "v/lib/python3/site-packages/lib/a.py", "v/lib/python3/site-packages/lib-1.dist-info/METADATA"},
			work: []string{
				"v/" + venv, "v/bin/tool", "v/lib/python3/site-packages/pytest/__init__.py", "v/lib/python3/site-packages/pytest.abi3.so", "v/lib/python3/site-packages/lib/b.py",
				"v/lib/python3/site-packages/lib-2.dist-info/METADATA", "v/lib/python3/site-packages/x.pth", "v/lib/python3/site-packages/sitecustomize.py",
				"v/lib/python3/site-packages/round_it.py", "v/lib/python3/site-packages/round_it-1.dist-info/METADATA", "v/lib/python3/site-packages/round_it-1.dist-info/entry_points.txt",
			},
			want:   []string{"v/lib/python3/site-packages/round_it-1.dist-info/METADATA", "v/lib/python3/site-packages/round_it.py"},
			others: []string{"lib-2.dist-info"},
		},
		"python of the machine": {
			base: []string{"v/pyvenv.cfg=include-system-site-packages = true", "v/lib/python3/site-packages/lib.py"},
			work: []string{"v/pyvenv.cfg=include-system-site-packages = false", "v/lib/python3/site-packages/pytest.py"},
		},
		"an environment of the work": {work: []string{"v/" + venv, "v/lib/python3/site-packages/pytest.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, work, to := t.TempDir(), t.TempDir(), t.TempDir()
			write(t, base, c.base...)
			write(t, work, c.work...)
			a, err := addPackages(base, work, to, t.TempDir(), c.tracked, []string{"PATH=/bin:/usr/bin"})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			err = filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					got = append(got, strings.TrimPrefix(path, to+"/"))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			if diff := cmp.Diff([2][]string{c.want, c.others}, [2][]string{got, a.others}); diff != "" {
				t.Error(diff)
			}
			if takesNone := strings.Contains(name, "python of") || strings.Contains(name, "an environment"); takesNone != strings.Contains(a.missing(), "are not in v/lib/python3/site-packages") {
				t.Errorf("it tells %q", a.missing())
			}
		})
	}
}
