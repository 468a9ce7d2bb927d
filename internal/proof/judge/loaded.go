package judge

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Modules that configuration of tests names. Such a module runs in the process of the
// tests, before them, and can change what they see: it judges like the configuration.
// What it imports itself is not followed, since that is mostly the product.
var (
	// nodeModule matches the options of node, mocha and others that load a module first.
	nodeModule = lazyregexp.New(`(?:^|[\s"'=\[,])(?:--(?:import|require|loader|experimental-loader)|-r)["']?(?:\s*[=,]\s*|\s+)["']?([\w@./-]+)`)
	// pytestPlugin matches pytest's option -p, which may be glued to its value.
	pytestPlugin = lazyregexp.New(`(?:^|[\s"'=\[,])-p["']?(?:\s*[=,]\s*|\s*)["']?([A-Za-z_][\w.]*)(?:[^\w.:]|$)`)
	// conftestPlugins matches the variable of conftest.py that lists plugins.
	conftestPlugins = lazyregexp.New(`(?m)^pytest_plugins\b[^=\n]*=\s*(\[[^\]]*\]|\([^)]*\)|.*$)`)
	// loadingKeys match the settings of JavaScript test runners that name modules.
	loadingKeys = lazyregexp.New(`\b(?:setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|testEnvironment|testRunner|runner|transform|resolver|reporters?|snapshotSerializers|require|import|loader)["']?\s*:\s*(\[[^\]]*\]|\{[^}]*\}|["'][^"'\n]*["'])`)
	// configOption matches the options of runners that name a file of configuration.
	configOption = lazyregexp.New(`(?:^|\s)(?:-c|--config(?:-file)?|--rcfile|--env-file|--setup-?[fF]iles?|--global-?[sS]etup|--file)(?:\s*=\s*|\s+)["']?([\w@./-]+)`)
	// entryPoint matches a module among the entry points of pytest.
	entryPoint = lazyregexp.New(`[\w-]+["']?\s*=\s*["']?([A-Za-z_][\w.]*)`)
)

var (
	pytestConfig = []string{"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "setup.cfg", "tox.ini", "pyproject.toml"}
	nodeConfig   = []string{"jest.config.*", "jest-*.json", "vitest.config.*", "vite.config.*", ".mocharc", ".mocharc.*", "ava.config.*", ".taprc", "package.json"}
)

// loaded adds the modules that the gate's command or the configuration of the base's
// tests loads. A module that the work adds where the configuration looks for one counts,
// too: it would be loaded in place of the other.
func (r *reach) loaded() error {
	gate := r.gateDir()
	command := strings.Join(slices.AppendSeq([]string{r.Gate.Run}, maps.Values(r.Gate.Env)), "\n")
	r.nodeModules(gate, nodeModule.FindAllStringSubmatch(command, -1))
	r.readFlags(gate, r.Gate.Run)
	if strings.Contains(command, "pytest") {
		r.pythonModules(gate, pytestPlugin.FindAllStringSubmatch(command, -1))
	}
	read := 0
	for _, f := range r.Base {
		name := strings.ToLower(path.Base(f.Path))
		if !configuresLoading(name) || !proof.IsFile(f) || read == MostFollowed {
			continue
		}
		read++
		data, err := r.Content(f.ID)
		if err != nil {
			return err
		}
		if len(data) <= longestScript {
			r.loadedBy(proof.DirOf(f.Path), name, data)
		}
	}
	return nil
}

func configuresLoading(name string) bool {
	return name == ".npmrc" || name == "setup.py" || name == "conftest.py" || slices.Contains(pytestConfig, name) || proof.Matches(nodeConfig, name)
}

// loadedBy adds the modules that one file of configuration names.
func (r *reach) loadedBy(dir, name string, data []byte) {
	text := string(data)
	switch {
	case name == ".npmrc":
		r.nodeModules(dir, nodeModule.FindAllStringSubmatch(text, -1))
	case name == "conftest.py":
		r.conftestPlugins(dir, text)
	case name == "setup.py":
		r.entryPoints(dir, text, "]")
	case slices.Contains(pytestConfig, name):
		r.pythonModules(dir, pytestPlugin.FindAllStringSubmatch(text, -1))
		r.entryPoints(dir, text, "\n[")
		r.readPytest(text)
	case name == "package.json":
		for _, command := range packageCommands(data, r.gateWords()) {
			r.nodeModules(dir, nodeModule.FindAllStringSubmatch(command, -1))
		}
		fallthrough
	default:
		for _, m := range loadingKeys.FindAllStringSubmatch(text, -1) {
			r.nodeModules(dir, syntax.Quoted.FindAllStringSubmatch(m[1], -1))
		}
	}
}

func (r *reach) conftestPlugins(dir, text string) {
	for _, m := range conftestPlugins.FindAllStringSubmatch(text, -1) {
		r.pythonModules(dir, syntax.Quoted.FindAllStringSubmatch(m[1], -1))
	}
}

// entryPoints adds the plugins of pytest that the project declares of itself: they are
// loaded where it is installed from its tree. The list of them ends with a text.
func (r *reach) entryPoints(dir, text, end string) {
	if _, list, ok := strings.Cut(text, "pytest11"); ok {
		list, _, _ = strings.Cut(list, end)
		r.pythonModules(dir, entryPoint.FindAllStringSubmatch(list, -1))
	}
}

// loadedByScript adds what a script that the gate runs makes runners load.
func (r *reach) loadedByScript(dir, text string) {
	for _, from := range []string{dir, r.gateDir()} {
		r.readFlags(from, text)
		r.nodeModules(from, nodeModule.FindAllStringSubmatch(text, -1))
		if strings.Contains(text, "pytest") {
			r.pythonModules(from, pytestPlugin.FindAllStringSubmatch(text, -1))
		}
		for _, m := range configOption.FindAllStringSubmatch(text, -1) {
			r.nameEither(path.Join(from, m[1]))
		}
	}
}

// pluginsOfTests adds the plugins that tests of the base load: pytest reads
// pytest_plugins in every test, too.
func (r *reach) pluginsOfTests() error {
	files, _, err := r.reading(func(f proof.File) bool {
		lang, test := r.isTest(f.Path)
		return test && lang == "python" && path.Base(f.Path) != "conftest.py"
	})
	if err != nil {
		return err
	}
	for _, f := range files {
		data, err := r.Content(f.ID)
		if err != nil {
			return err
		}
		r.conftestPlugins(proof.DirOf(f.Path), string(data))
	}
	return nil
}

// nodeModules adds the files of modules that are named relative to a folder. A name
// without a path may be that of a package, and is one where no file has it.
func (r *reach) nodeModules(dir string, found [][]string) {
	for _, m := range found {
		name := strings.TrimPrefix(m[1], "<rootDir>/")
		for _, ending := range syntax.NodeEndings {
			if p := path.Join(dir, name+ending); proof.LanguageOf(p) == "js" {
				r.nameEither(p)
			}
		}
	}
}

// pythonModules adds the files of modules by their dotted names: those of the base in
// any folder, since any can be on Python's path, and those of the work in the usual
// ones.
func (r *reach) pythonModules(dir string, found [][]string) {
	for _, m := range found {
		module := strings.ReplaceAll(m[1], ".", "/")
		for _, file := range []string{module + ".py", module + "/__init__.py"} {
			for p := range r.Before {
				if p == file || strings.HasSuffix(p, "/"+file) {
					r.named[p] = true
				}
			}
			for _, root := range []string{".", "src", "lib", "test", "tests", dir, r.gateDir()} {
				r.nameEither(path.Join(root, file))
			}
		}
	}
}

// nameEither adds a file that the base or the work has.
func (r *reach) nameEither(p string) {
	_, had := r.Before[p]
	_, has := r.After[p]
	if had || has {
		r.named[p] = true
	}
}
