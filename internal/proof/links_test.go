package proof

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each commit is its links, by path and target; the object id of a link is its target
// here.
func TestLinksOut(t *testing.T) {
	t.Parallel()
	type tree map[string]string
	list := func(t tree) (out []File) {
		for p, target := range t {
			out = append(out, File{Path: p, Mode: LinkMode, ID: target})
		}
		return append(out, File{Path: "src/a.go", Mode: "100644", ID: "a"}, File{Path: "sub", Mode: SubmoduleMode, ID: "s"})
	}
	content := func(id string) ([]byte, error) { return []byte(id), nil }
	for name, c := range map[string]struct {
		base, work tree
		want       []string
	}{
		"inside":                     {nil, tree{"l": "src/a.go", "src/up": "../src/a.go", "d": ".", "src/root": ".."}, nil},
		"nowhere, but inside":        {nil, tree{"l": "build/out", "a/b": "../c/../d"}, nil},
		"into a submodule":           {nil, tree{"l": "sub/x"}, nil},
		"a circle":                   {nil, tree{"a": "b", "b": "a"}, nil},
		"absolute":                   {nil, tree{"l": "/etc/passwd"}, []string{"l → /etc/passwd"}},
		"by ..":                      {nil, tree{"l": "..", "src/m": "../../x"}, []string{"l → ..", "src/m → ../../x"}},
		"out and back":               {nil, tree{"l": "../repo/src/a.go"}, []string{"l → ../repo/src/a.go"}},
		"many slashes":               {nil, tree{"l": ".//..//x"}, []string{"l → .//..//x"}},
		"through another link":       {nil, tree{"d": "src", "src/out": "../..", "l": "d/out/x"}, []string{"l → d/out/x", "src/out → ../.."}},
		"the way back by a link":     {nil, tree{"a/b/d": "../..", "l": "a/b/d/../x"}, []string{"l → a/b/d/../x"}},
		"into .git":                  {nil, tree{"l": ".git/hooks", "m": "src/../.GIT/config"}, []string{"l → .git/hooks", "m → src/../.GIT/config"}},
		"a folder like it":           {nil, tree{"l": "src/.git", "m": ".github/x"}, nil},
		"the base's stays":           {tree{"l": "/opt/data"}, tree{"l": "/opt/data"}, nil},
		"the base's changes":         {tree{"l": "/opt/data"}, tree{"l": "/etc"}, []string{"l → /etc"}},
		"the base's, elsewhere":      {tree{"l": "../data"}, tree{"src/l": "../data", "m": "../data"}, []string{"m → ../data"}},
		"a step of the base's moves": {tree{"d": "a/b", "l": "d/../../x"}, tree{"d": ".", "l": "d/../../x"}, []string{"l → d/../../x"}},
	} {
		got, err := LinksOut(list(c.base), list(c.work), content)
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
	broken := errors.New("broken")
	if _, err := LinksOut(nil, list(tree{"l": "x"}), func(string) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("an unreadable link: %v", err)
	}
}
