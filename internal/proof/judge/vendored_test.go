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

// A new folder vendor/ from which a source of the product loads by a path is the product's, too.
func TestVendoredSources(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"package.json": `{"devDependencies": {"chai": "1.0.0"}}`, "money.js": "x", "money.test.js": "require('./money')", ".gitignore": "vendor/tmp\n"}
	const loads = "const { parse } = require('./vendor/cents');\nimport x from \"./vendor/round/index.js\";\n"
	for what, c := range map[string]struct {
		changes prooftest.Tree
		file    string
		aside   bool
	}{
		"a file":                        {prooftest.Tree{"money.js": loads, "vendor/cents.js": "y"}, "vendor/cents.js", false},
		"a folder":                      {prooftest.Tree{"money.js": loads, "vendor/round/index.js": "require('./deep')", "vendor/round/deep.js": "y"}, "vendor/round/deep.js", false},
		"its data":                      {prooftest.Tree{"money.js": loads, "vendor/cents.js": "require('./x.json')", "vendor/x.json": "{}"}, "vendor/x.json", false},
		"a source of the work loads":    {prooftest.Tree{"lib/new.js": "import('../vendor/cents')", "vendor/cents.js": "y"}, "vendor/cents.js", false},
		"that nothing loads":            {prooftest.Tree{"money.js": "y", "vendor/cents.js": "y"}, "vendor/cents.js", true},
		"another beside":                {prooftest.Tree{"money.js": loads, "vendor/cents.js": "y", "vendor/chai.js": "y"}, "vendor/chai.js", true},
		"that only a test loads":        {prooftest.Tree{"new.test.js": loads, "vendor/cents.js": "y"}, "vendor/cents.js", true},
		"loaded by name":                {prooftest.Tree{"money.js": "require('vendor/cents')", "vendor/cents.js": "y"}, "vendor/cents.js", true},
		"a package":                     {prooftest.Tree{"money.js": loads, "vendor/cents.js": "y", "vendor/chai/package.json": "{}"}, "vendor/cents.js", true},
		"a dependency of the work":      {prooftest.Tree{"money.js": loads, "vendor/cents.js": "y", "package.json": `{"devDependencies": {"chai": "file:./vendor/cents"}}`}, "vendor/cents.js", true},
		"a lock of the work":            {prooftest.Tree{"money.js": loads, "vendor/cents.js": "y", "package-lock.json": `{"packages": {"node_modules/chai": {"resolved": "vendor", "link": true}}}`}, "vendor/cents.js", true},
		"another language":              {prooftest.Tree{"money.js": loads, "vendor/cents.js": "y", "vendor/yaml.py": "y"}, "vendor/cents.js", true},
		"a program":                     {prooftest.Tree{"money.js": loads, "vendor/cents.js": "exec:y"}, "vendor/cents.js", true},
		"a test in it":                  {prooftest.Tree{"money.js": loads, "vendor/cents.js": "y", "vendor/cents.test.js": "y"}, "vendor/cents.test.js", true},
		"a module of the base's runner": {prooftest.Tree{"vendor.js": loads, "vendor/cents.js": "y", "jest.config.js": "moduleDirectories: ['vendor']"}, "vendor/cents.js", true},
	} {
		k, _ := change("node --test", base, c.changes)
		j, err := k.Judges()
		if aside := slices.Contains(j.SetAside, c.file) || slices.Contains(j.New, c.file); err != nil || aside != c.aside {
			t.Errorf("%s: set aside %q, new %q, %v", what, j.SetAside, j.New, err)
		}
	}
	for what, files := range map[string]prooftest.Tree{
		"a folder that was there":  {"vendor/old.js": "x"},
		"configuration":            {"jest.config.js": "module.exports = {moduleDirectories: ['node_modules', 'vendor']}"},
		"workspaces":               {"package.json": `{"workspaces": ["vendor/*"]}`},
		"a test that looks for it": {"money.test.js": "try { require('./vendor/cents') } catch {}"},
		"a source that does":       {"check.js": "try { require('./vendor/cents') } catch {}"},
		"Go beside":                {"go.mod": "module a\n"},
		"no package":               {"package.json": ""},
	} {
		k, _ := change("node --test", base.Changed(files), prooftest.Tree{"money.js": loads, "vendor/cents.js": "y"})
		if j, err := k.Judges(); err != nil || !slices.Contains(j.SetAside, "vendor/cents.js") {
			t.Errorf("%s: set aside %q, new %q, %v", what, j.SetAside, j.New, err)
		}
	}
	k, _ := change("NODE_PATH=vendor node --test", base, prooftest.Tree{"money.js": loads, "vendor/cents.js": "y"})
	if j, err := k.Judges(); err != nil || !slices.Contains(j.SetAside, "vendor/cents.js") {
		t.Errorf("a path of the command: set aside %q, %v", j.SetAside, err)
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
