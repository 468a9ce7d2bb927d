package judge

import "ralph/internal/lazyregexp"

// broken matches what compilers and loaders of tests print when the tests themselves
// cannot be built or loaded.
var broken = lazyregexp.New(`(?m)\[(?:build|setup) failed\]|^error\[E\d{4}\]|could not compile|error TS\d+:|COMPILATION ERROR|Compilation failed|compileTest\S* FAILED` +
	`|^ImportError|^E\s+(?:ImportError|ModuleNotFoundError|SyntaxError|IndentationError)|errors? during collection|ModuleNotFoundError: |ImportError: cannot import` +
	`|Cannot find module |ERR_MODULE_NOT_FOUND|does not provide an export named|^SyntaxError|undefined reference to|fatal error: .* file not found|Parse error: `)

// Broken reports whether the output of a runner shows that the tests could not be
// built or loaded: an interface changed, and the tests found out nothing.
func Broken(output string) bool { return broken.MatchString(output) }
