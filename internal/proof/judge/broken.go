package judge

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// vitestTests is the heading of tests that failed.
const vitestTests = " Failed Tests "

var (
	// broken matches what compilers and loaders of tests print when the tests themselves
	// cannot be built or loaded. What a test prints that fails as it loads something is none of it.
	broken = lazyregexp.New(`(?m)\[(?:build|setup) failed\]|^error\[E\d{4}\]|could not compile|COMPILATION ERROR|Compilation failed|compileTest\S* FAILED` +
		`|^(?:\S+(?:\(\d+,\d+\)|:\d+:\d+)(?: -|:) )?error TS\d+:|Unable to compile TypeScript|\bTS\d+ \[ERROR\]` +
		`|_ ERROR collecting |errors? during collection|ImportError while (?:importing test module|loading conftest)|Failed to import test module: |unittest\.loader\._FailedTest` +
		`|Test suite failed to run|Failed Suites \d|Exception during run: |Unhandled error between tests|error occurred while loading ` +
		`|undefined reference to|fatal error: .* file not found|Parse error: `)
	// uncaught matches an error at which node ends: a module that is missing, or one that cannot be read,
	// below a mark. TAP shows it as comments; vitest shows that of a test so, too, below vitestTests.
	uncaught = lazyregexp.New(`(?m)^(?:# )?Error(?: \[\w+\])?: Cannot find (?:module|package) |^(?:# )?[ \t]*\^+[ \t]*\n(?:#?[ \t]*\n)?(?:# )?SyntaxError: `)
	// traceback matches one of Python, its group the frames; ownFrame one of them that is no
	// library's, its group the function.
	traceback = lazyregexp.New(`(?m)^Traceback \(most recent call last\):\n((?:[ \t]+.*\n)+)(?:(ImportError|ModuleNotFoundError|SyntaxError|IndentationError|TabError)|\w)`)
	frame     = lazyregexp.New(`(?m)^[ \t]+File "([^"\n]*)", line \d+(?:, in (.*))?$`)
)

// Broken reports whether the output of a runner shows that tests could not be built or
// loaded: an interface changed, and these tests found out nothing.
func Broken(output string) bool {
	if broken.MatchString(output) {
		return true
	}
	for _, m := range traceback.FindAllStringSubmatch(output, -1) {
		if m[2] != "" && asItLoads(m[1]) {
			return true
		}
	}
	return !strings.Contains(output, vitestTests) && uncaught.MatchString(traceback.ReplaceAllString(output, ""))
}

// asItLoads reports whether the frames of a traceback are all outside of functions, but for those of
// libraries.
func asItLoads(frames string) bool {
	for _, f := range frame.FindAllStringSubmatch(frames, -1) {
		library := strings.HasPrefix(f[1], "<frozen ") || strings.Contains(f[1], "/lib/python")
		if !library && f[2] != "" && f[2] != "<module>" {
			return false
		}
	}
	return true
}
