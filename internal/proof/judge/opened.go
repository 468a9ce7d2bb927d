package judge

import (
	"path"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// mostWatched bounds the files that are watched, mostDocuments the documents among
// them.
const (
	mostWatched   = 2000
	mostDocuments = 5
)

// Watched returns the files of the base that a gate should be watched opening, when it
// runs there: scripts, build files and programs that no convention makes judges, and
// a few documents, sorted. No gate needs a document: a gate that opens most of them reads
// everything, like git after a checkout, and what it opens says nothing.
func Watched(base []proof.File) []string {
	var scripts, documents []string
	for _, f := range base {
		_, test := proof.IsTest(f.Path)
		switch {
		case f.Mode == proof.LinkMode || test || proof.IsConfig(f.Path):
		case isScript(f):
			scripts = append(scripts, f.Path)
		case proof.IsDocument(path.Base(f.Path)) && path.Ext(f.Path) != ".txt" && proof.IsFile(f): // some .txt are data
			documents = append(documents, f.Path)
		}
	}
	if len(scripts) == 0 || len(scripts) > mostWatched {
		return nil
	}
	slices.Sort(documents)
	out := append(scripts, documents[:min(len(documents), mostDocuments)]...)
	slices.Sort(out)
	return out
}

// TestSources are the tests of a commit that are source code, sorted, at most 5,000:
// snapshots and fixtures are data, which runs of tests may write.
func TestSources(files []proof.File) (paths []string) {
	const most = 5000
	for _, f := range files {
		if lang, test := proof.IsTest(f.Path); test && lang != "" && proof.IsFile(f) && len(paths) < most {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// toolSettings configure linters and tools of coverage, in the folder in which they run.
var toolSettings = []string{
	".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml", "package.json", ".nycrc", ".nycrc.json", ".nycrc.yml", ".nycrc.yaml", "nyc.config.js", ".c8rc", ".c8rc.json", ".simplecov",
	".gitignore", ".ignore", ".rgignore", ".flake8", ".pylintrc", "pylintrc", "ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", "pyrightconfig.json", "tsconfig.json",
	".eslintrc", ".eslintrc.json", ".eslintignore", "eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", ".prettierrc", ".prettierignore", "biome.json", ".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json",
}

// ToolSettings are files that must be after a gate's command as they were before it, also
// where they are not there: part of the command may read what another part wrote. None
// where the gate, which has these duties, neither inspects the product nor measures coverage.
func ToolSettings(g loop.Gate, duties Duties) (paths []string) {
	if !duties.Inspects {
		return nil
	}
	for _, name := range toolSettings {
		paths = append(paths, name)
		if dir := path.Clean(g.Dir); g.Dir != "" && dir != "." {
			paths = append(paths, path.Join(dir, name))
		}
	}
	return paths
}

// OpenedScripts are the scripts among the watched files that the gate opened; none
// where it opened more than half of the documents, too.
func OpenedScripts(watched, opened []string) (scripts []string) {
	documents := 0
	for _, p := range watched {
		was := slices.Contains(opened, p)
		switch {
		case proof.IsDocument(path.Base(p)) && was:
			documents++
		case proof.IsDocument(path.Base(p)):
			documents--
		case was:
			scripts = append(scripts, p)
		}
	}
	if documents > 0 {
		return nil
	}
	return scripts
}

// opens adds the scripts that the gate opened on the base. What a test runner opens by
// itself is the product under test, and in a project of shell scripts they are the
// product: there only those in folders of tools judge.
func (r *reach) opens() {
	product := runsTests(r.Gate) || r.isShell()
	for _, p := range r.Opened {
		f, here := r.Before[path.Clean(p)]
		if here && isScript(f) && !r.computing[f.Path] && (!product || isToolFolder(f.Path) || proof.IsConfig(f.Path)) {
			r.named[f.Path], r.direct[f.Path] = true, true
		}
	}
}

// testPrograms run tests themselves, where a gate's command begins with them.
var testPrograms = []string{
	"go", "gotestsum", "cargo", "pytest", "python", "python3", "nosetests", "node", "jest", "vitest", "mocha", "ava", "tap", "npx", "bun", "deno",
	"rspec", "phpunit", "pest", "mvn", "gradle", "dotnet", "swift", "mix", "ctest", "prove", "busted", "zig",
}

// runsTests reports whether every command of the gate is such a program.
func runsTests(g loop.Gate) bool {
	programs := 0
	for _, c := range shell.Split(g.Run) {
		switch name := path.Base(c.Words[0]); {
		case slices.Contains(testPrograms, name):
			programs++
		case !slices.Contains([]string{"cd", "export", "set"}, name):
			return false
		}
	}
	return programs > 0
}
