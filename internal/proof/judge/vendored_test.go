package judge

import (
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// A new package of npm below vendor/ that a package.json lists under a new name is the
// product's; whatever else stands there judges.
func TestAddedVendoredPackage(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"package.json": `{"devDependencies": {"chai": "1.0.0"}}`, "web/package.json": `{}`, "test/a.test.js": "x",
		"vendor/old/index.js": "x", "vendor/@s/old/index.js": "x",
	}
	const round = `{"dependencies": {"round": "file:./vendor/round"}, "devDependencies": {"chai": "1.0.0"}}`
	for what, c := range map[string]struct {
		changes prooftest.Tree
		file    string
		aside   bool
	}{
		"a new package":               {prooftest.Tree{"package.json": round, "vendor/round/index.js": "y"}, "vendor/round/index.js", false},
		"its manifest":                {prooftest.Tree{"package.json": round, "vendor/round/package.json": "{}", "vendor/round/index.js": "y"}, "vendor/round/package.json", false},
		"one in a scope":              {prooftest.Tree{"package.json": `{"dependencies": {"@s/round": "file:vendor/@s/round"}, "devDependencies": {"chai": "1.0.0"}}`, "vendor/@s/round/index.js": "y"}, "vendor/@s/round/index.js", false},
		"one below":                   {prooftest.Tree{"web/package.json": `{"dependencies": {"round": "file:./vendor/round"}}`, "web/vendor/round/index.js": "y"}, "web/vendor/round/index.js", false},
		"not listed":                  {prooftest.Tree{"vendor/round/index.js": "y"}, "vendor/round/index.js", true},
		"listed from elsewhere":       {prooftest.Tree{"package.json": `{"dependencies": {"round": "^1.0.0"}, "devDependencies": {"chai": "1.0.0"}}`, "vendor/round/index.js": "y"}, "vendor/round/index.js", true},
		"under the name of another":   {prooftest.Tree{"package.json": `{"devDependencies": {"chai": "file:./vendor/round"}}`, "vendor/round/index.js": "y"}, "vendor/round/index.js", true},
		"a runner of tests":           {prooftest.Tree{"package.json": `{"dependencies": {"jest": "file:./vendor/round"}, "devDependencies": {"chai": "1.0.0"}}`, "vendor/round/index.js": "y"}, "vendor/round/index.js", true},
		"a folder that was there":     {prooftest.Tree{"package.json": `{"dependencies": {"old": "file:./vendor/old"}, "devDependencies": {"chai": "1.0.0"}}`, "vendor/old/index.js": "y"}, "vendor/old/index.js", true},
		"a scope with another in it":  {prooftest.Tree{"package.json": `{"dependencies": {"@s/round": "file:vendor/@s/round"}, "devDependencies": {"chai": "1.0.0"}}`, "vendor/@s/old/index.js": "y", "vendor/@s/round/index.js": "y"}, "vendor/@s/old/index.js", true},
		"with packages of its own":    {prooftest.Tree{"package.json": round, "vendor/round/index.js": "y", "vendor/round/node_modules/chai/index.js": "y"}, "vendor/round/index.js", true},
		"with another language":       {prooftest.Tree{"package.json": round, "vendor/round/index.js": "y", "vendor/round/yaml.py": "y"}, "vendor/round/yaml.py", true},
		"with a program":              {prooftest.Tree{"package.json": round, "vendor/round/run": "exec:y", "vendor/round/index.js": "y"}, "vendor/round/run", true},
		"with a manifest of the work": {prooftest.Tree{"sub/package.json": `{"dependencies": {"round": "file:./vendor/round"}}`, "sub/vendor/round/index.js": "y"}, "sub/vendor/round/index.js", true},
	} {
		k, _ := change("node --test", base, c.changes)
		j, err := k.Judges()
		if aside := slices.Contains(j.SetAside, c.file) || slices.Contains(j.New, c.file); err != nil || aside != c.aside {
			t.Errorf("%s: set aside %q, new %q, %v", what, j.SetAside, j.New, err)
		}
	}
}

func TestKeptManifests(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"requirements.txt": "./libs/one\n", "package.json": `{"dependencies": {}}`}
	for _, c := range []struct {
		changes prooftest.Tree
		want    []string
	}{
		{prooftest.Tree{"requirements.txt": "./libs/one\n./libs/two\n"}, []string{"requirements.txt"}},
		{prooftest.Tree{"requirements.txt": "./libs/one\ntwo==1.0\n", "package.json": `{"dependencies": {"two": "1.0.0"}}`}, nil},
		{prooftest.Tree{"two.py": "x"}, nil},
	} {
		k, _ := change("pip install -r requirements.txt", base, c.changes)
		j, err := k.Judges()
		if got := k.KeptManifests(j); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v", c.changes, got, err)
		}
	}
}
