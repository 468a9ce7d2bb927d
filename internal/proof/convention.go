package proof

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
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

// LanguageOf returns the language of a source by its ending; "" is none that is known.
func LanguageOf(p string) string { return languages()[strings.ToLower(path.Ext(p))] }

// TestFolders hold tests, fixtures and snapshots, wherever they are.
var TestFolders = []string{
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
		"c":      {"test.c", "tests.c", "test.cc", "tests.cc", "*_tests.c", "*_tests.cc", "*_test.c", "*_test.cc", "*_test.cpp", "*_test.cxx", "test_*.c", "test_*.cc", "test_*.cpp", "*_unittest.*", "*test.cpp", "*tests.cpp", "*tests.m", "*test.m"},
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

// IsTest returns the language of a test, fixture or snapshot; "" is none in
// particular. Documents beside specifications are none.
func IsTest(p string) (lang string, ok bool) {
	lang = LanguageOf(p)
	base := strings.ToLower(path.Base(p))
	if Matches(testNames()[lang], base) || Matches(testNames()[""], base) {
		return lang, true
	}
	for dir := DirOf(p); dir != "."; dir = DirOf(dir) {
		name := path.Base(dir)
		low := strings.ToLower(name)
		if (low == "spec" || low == "specs") && lang == "" && IsDocument(base) {
			continue
		}
		if low == "t" && (lang == "shell" || lang == "perl" || path.Ext(base) == ".t") || slices.Contains(TestFolders, low) || strings.HasSuffix(name, "Tests") || strings.HasSuffix(low, ".tests") || strings.HasSuffix(low, ".test") {
			return lang, true
		}
	}
	return "", false
}

// IsDocument reports whether a name, in lower case, is that of a text for people.
func IsDocument(base string) bool {
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

// ConfigFolders hold such files only.
var ConfigFolders = []string{".cargo", ".mvn", ".config", "buildsrc", "node_modules", "magefiles", ".husky", ".bundle", ".yarn", "site-packages", "dist-packages"}

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

// IsConfig reports whether a path is, by its name or a folder's, configuration of test runners and builds.
func IsConfig(p string) bool {
	exact, globs := configPatterns()
	if base := strings.ToLower(path.Base(p)); exact[base] || Matches(globs, base) {
		return true
	}
	return Within(p, func(name string) bool {
		return slices.Contains(ConfigFolders, name) || strings.HasSuffix(name, ".egg-info") || strings.HasSuffix(name, ".dist-info")
	})
}

// Within reports whether a folder of the path has such a name, in lower case.
func Within(p string, is func(name string) bool) bool {
	for dir := DirOf(p); dir != "."; dir = DirOf(dir) {
		if is(strings.ToLower(path.Base(dir))) {
			return true
		}
	}
	return false
}

// Matches reports whether a name, in lower case, matches one of the patterns (path.Match).
func Matches(patterns []string, name string) bool {
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

// DirOf is the folder of a path; "." is the root. Paths of git are relative and
// clean; those that other programs report may be absolute.
func DirOf(p string) string {
	if dir := path.Dir(p); dir != "/" {
		return dir
	}
	return "."
}

// Installs are patterns of the files, besides manifests, that say what is installed.
var Installs = []string{
	"go.sum", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "cargo.lock", "setup.cfg", "setup.py", "build.gradle*", "gemfile.lock", "composer.lock",
}

// ChangedTests are the files of tests that the other commit does not have like this.
func ChangedTests(files, other map[string]File) (out []string) {
	for _, p := range SortedPaths(files) {
		_, test := IsTest(p)
		if test && LanguageOf(p) != "" && files[p].ID != other[p].ID && IsFile(files[p]) {
			out = append(out, p)
		}
	}
	return out
}

// SourceLanguage is the language of a source by its name or first line.
func SourceLanguage(file, text string) string {
	return cmp.Or(LanguageOf(file), interpreted(text))
}

var interpreter = lazyregexp.New(`^#!\S*?(?:env\s+)?(?:-\S+\s+)*(python|node|ruby|php|perl|tclsh|sh|bash|dash|zsh)[\d.]*(?:\s|$)`)

// interpreted returns the language that the first line of a script names, or "".
func interpreted(text string) string {
	m := interpreter.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	switch m[1] {
	case "node":
		return "js"
	case "tclsh":
		return "tcl"
	case "python", "ruby", "php", "perl":
		return m[1]
	}
	return "shell"
}
