package proof

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// languages by the extension of a source file.
var languages = sync.OnceValue(func() map[string]string {
	return map[string]string{
		".go": "go", ".py": "python", ".pyi": "python", ".rs": "rust", ".rb": "ruby", ".php": "php", ".phpt": "php",
		".js": "js", ".jsx": "js", ".ts": "js", ".tsx": "js", ".mjs": "js", ".cjs": "js", ".mts": "js", ".cts": "js", ".vue": "js", ".svelte": "js",
		".java": "jvm", ".kt": "jvm", ".kts": "jvm", ".scala": "jvm", ".groovy": "jvm", ".clj": "jvm",
		".c": "c", ".cc": "c", ".cpp": "c", ".cxx": "c", ".h": "c", ".hpp": "c", ".m": "c", ".mm": "c",
		".cs": "dotnet", ".fs": "dotnet", ".vb": "dotnet", ".swift": "swift", ".ex": "elixir", ".exs": "elixir",
		".dart": "dart", ".lua": "lua", ".tcl": "tcl", ".tm": "tcl", ".hs": "haskell", ".pl": "perl", ".pm": "perl", ".t": "perl", ".r": "r", ".jl": "julia",
		".sh": "shell", ".bash": "shell", ".zsh": "shell", ".bats": "shell",
	}
})

func languageOf(p string) string { return languages()[strings.ToLower(path.Ext(p))] }

// testFolders hold tests, fixtures and snapshots, wherever they are.
var testFolders = []string{
	"test", "tests", "__tests__", "__mocks__", "__snapshots__", "__fixtures__", "__image_snapshots__", "testdata", "test-data", "test_data",
	"fixtures", "spec", "specs", "e2e", "benches", "step_definitions", "cypress", "golden", "goldens", "testfixtures", "test-fixtures",
	"integrationtest", "functionaltest", "androidtest", "commontest", "jvmtest", "jstest",
}

// testNames are patterns of names, in lower case, by language; "" is any.
var testNames = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"go":     {"*_test.go"},
		"python": {"test_*.py", "*_test.py", "*_tests.py", "tests.py", "test.py", "conftest.py"},
		"js":     {"*.test.*", "*.spec.*", "*.cy.*", "*.test-d.ts", "*_test.*", "*-test.*", "test.*"},
		"jvm":    {"*test.java", "*tests.java", "*it.java", "*test.kt", "*tests.kt", "*spec.kt", "*test.scala", "*spec.scala", "*suite.scala", "*test.groovy", "*spec.groovy", "*_test.clj"},
		"ruby":   {"*_spec.rb", "*_test.rb", "test_*.rb", "spec_helper.rb", "rails_helper.rb", "test_helper.rb"},
		"php":    {"*test.php", "*cest.php", "*.phpt"},
		"c":      {"*_test.c", "*_test.cc", "*_test.cpp", "*_test.cxx", "test_*.c", "test_*.cc", "test_*.cpp", "*_unittest.*", "*test.cpp", "*tests.cpp", "*tests.m", "*test.m"},
		"dotnet": {"*tests.cs", "*test.cs", "*tests.fs", "*test.fs"},
		"swift":  {"*tests.swift", "*test.swift"},
		"elixir": {"*_test.exs", "test_helper.exs"},
		"dart":   {"*_test.dart"}, "lua": {"*_spec.lua", "*_test.lua"}, "haskell": {"*spec.hs", "*test.hs"}, "perl": {"*.t"},
		"r": {"test-*.r", "test_*.r", "testthat.r"}, "julia": {"runtests.jl"},
		"rust":  {"tests.rs", "test.rs", "*_test.rs", "*_tests.rs"},
		"shell": {"*.bats", "test*.sh", "*[-_]test.sh", "*[-_]tests.sh", "test*.bash"},
		"":      {"*.snap", "*.snapshot", "*.ambr", "*.golden", "*.approved.*", "*.verified.*", "*.feature", "*.tap"},
	}
})

// isTest returns the language of a test, fixture or snapshot; "" is none in
// particular. Documents beside specifications are none.
func isTest(p string) (lang string, ok bool) {
	lang = languageOf(p)
	base := strings.ToLower(path.Base(p))
	if matches(testNames()[lang], base) || matches(testNames()[""], base) {
		return lang, true
	}
	for dir := dirOf(p); dir != "."; dir = dirOf(dir) {
		name := path.Base(dir)
		low := strings.ToLower(name)
		if (low == "spec" || low == "specs") && lang == "" && isDocument(base) {
			continue
		}
		if slices.Contains(testFolders, low) || strings.HasSuffix(name, "Tests") || strings.HasSuffix(low, ".tests") || strings.HasSuffix(low, ".test") {
			return lang, true
		}
	}
	return "", false
}

func isDocument(base string) bool {
	return slices.Contains([]string{".md", ".mdx", ".rst", ".txt", ".adoc"}, path.Ext(base))
}

// configNames are patterns of names, in lower case, of files that decide how tests
// and builds run, in any folder.
var configNames = []string{
	// make and its relatives
	"makefile", "gnumakefile", "bsdmakefile", "makefile.*", "*.mk", "*.make", "justfile", ".justfile", "*.just", "taskfile.y*ml", "taskfile.dist.y*ml", ".taskrc*",
	"earthfile", "rakefile", "rakefile.rb", "*.rake", "thorfile", "magefile.go", "sconstruct", "sconscript", "wscript",
	"cmakelists.txt", "*.cmake", "cmakepresets.json", "cmakeuserpresets.json", "ctestconfig.cmake", "meson.build", "meson_options.txt", "meson.options",
	"configure", "configure.ac", "build.ninja", "conanfile.*", "workspace", "workspace.bazel", "module.bazel", "build", "build.bazel", "*.bzl", ".bazelrc", "buck",
	// Python
	"pytest.ini", ".pytest.ini", "conftest.py", "pytest.toml", ".pytest.toml", "tox.ini", "tox.toml", "setup.cfg", "setup.py", "noxfile.py", "tasks.py", "dodo.py", "fabfile.py",
	".coveragerc", ".coveragerc.*",
	".python-version", "pipfile", "sitecustomize.py", "usercustomize.py", "*.pth", "pyvenv.cfg", "nose.cfg", ".noserc", "unittest.cfg",
	// JavaScript
	"jest.*", "jest-*.json", "vitest.*", "vite.config.*", "babel.config.*", ".babelrc", ".babelrc.*", ".swcrc", ".mocharc", ".mocharc.*", "mocha.opts", "ava.config.*",
	".nycrc", ".nycrc.*", "nyc.config.*", ".c8rc", ".c8rc.*", "karma.conf.*", "playwright.config.*", "cypress.config.*", "cypress.json", ".taprc", "wdio.conf.*",
	"jasmine.json", "web-test-runner.config.*", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.*", "pnpmfile.*", ".pnp.*", "pnpm-workspace.yaml", "lerna.json", "nx.json",
	"turbo.json", "tsconfig.json", "tsconfig.*.json", "jsconfig.json",
	"bunfig.toml", "deno.json", "deno.jsonc", ".nvmrc", ".node-version",
	"webpack.config.*", "rollup.config.*", "esbuild.config.*", "tsup.config.*", "gulpfile.*", "gruntfile.*", "postcss.config.*", "metro.config.*",
	// Go
	"go.work", ".testcoverage.yml",
	// Rust
	"rust-toolchain", "rust-toolchain.toml", "build.rs", "nextest.toml", "tarpaulin.toml",
	// the JVM
	"build.gradle", "build.gradle.kts", "*.gradle", "*.gradle.kts", "gradle.properties", "gradlew", "gradlew.bat", "gradle-wrapper.*", "mvnw", "mvnw.cmd", "build.sbt",
	"build.xml", "junit-platform.properties", "testng.xml", "lombok.config", "deps.edn", "project.clj",
	// Ruby, PHP, .NET, Elixir, others
	".rspec", ".rspec-local", ".simplecov", ".ruby-version", ".irbrc", "guardfile", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml", "pest.php",
	"infection.json*", "codeception.yml", "*.runsettings", "*.csproj", "*.fsproj", "*.sln", "*.slnx",
	"directory.build.*", "directory.packages.props", "global.json", "nuget.config", "mix.exs", "package.swift", "dart_test.yaml",
	"build.zig", "dune-project", "stack.yaml", "cabal.project", ".busted",
	// any
	".envrc", ".tool-versions", "mise.toml", ".mise.toml", ".gitattributes", ".gitmodules", "lefthook.yml",
	".testrc", ".env.test", "flake.nix", "shell.nix", "default.nix", "devbox.json", "ralph.yaml",
}

// configFolders hold such files only.
var configFolders = []string{".cargo", ".mvn", ".config", "buildsrc", "node_modules", "magefiles", ".husky", ".bundle", ".yarn", "site-packages", "dist-packages"}

// configPatterns are the names without a wildcard, and the patterns.
var configPatterns = sync.OnceValues(func() (exact map[string]bool, globs []string) {
	exact = map[string]bool{}
	for _, n := range configNames {
		if strings.ContainsAny(n, "*[") {
			globs = append(globs, n)
		} else {
			exact[n] = true
		}
	}
	return exact, globs
})

func isConfig(p string) bool {
	exact, globs := configPatterns()
	if base := strings.ToLower(path.Base(p)); exact[base] || matches(globs, base) {
		return true
	}
	return within(p, func(name string) bool {
		return slices.Contains(configFolders, name) || strings.HasSuffix(name, ".egg-info") || strings.HasSuffix(name, ".dist-info")
	})
}

// within reports whether a folder of the path has such a name, in lower case.
func within(p string, is func(name string) bool) bool {
	for dir := dirOf(p); dir != "."; dir = dirOf(dir) {
		if is(strings.ToLower(path.Base(dir))) {
			return true
		}
	}
	return false
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if !mayMatch(p, name) {
			return false
		}
		ok, err := path.Match(p, name)
		return err == nil && ok
	})
}

// mayMatch compares a name with the beginning and the end of a pattern and with the first
// word after a star, as far as they hold no wildcard. Every file of a repository is
// compared with every pattern, many times.
func mayMatch(pattern, name string) bool {
	begin := plain(pattern)
	if !strings.HasPrefix(name, pattern[:begin]) {
		return false
	}
	if begin == len(pattern) {
		return begin == len(name)
	}
	at, end := len(name), len(pattern)
	for ; plain(pattern[end-1:end]) == 1; end-- {
		if at--; at < begin || name[at] != pattern[end-1] {
			return false
		}
	}
	if pattern[begin] != '*' {
		return true
	}
	word := pattern[begin+1:]
	return strings.Contains(name[begin:], word[:plain(word)])
}

// plain is the length of the beginning of a pattern that holds no wildcard.
func plain(pattern string) int {
	for i := range len(pattern) {
		switch pattern[i] {
		case '*', '?', '[', ']', '\\':
			return i
		}
	}
	return len(pattern)
}

// dirOf is the folder of a path; "." is the root. Paths of git are relative and
// clean; those that other programs report may be absolute.
func dirOf(p string) string {
	if dir := path.Dir(p); dir != "/" {
		return dir
	}
	return "."
}
