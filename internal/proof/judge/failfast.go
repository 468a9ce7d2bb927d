package judge

import "ralph/internal/lazyregexp"

// failFast are the words that let a runner of tests stop at a first failure, behind the
// words that name the runner in the same command.
var failFast = lazyregexp.New(`\b(py\.?test\b[^|&;\n]*?)\s(?:-x|--exitfirst|--maxfail(?:=|\s+)\d+)(?:\s|$)` +
	`|\b(unittest\b[^|&;\n]*?)\s(?:-f|--failfast)(?:\s|$)` +
	`|\b(go test\b[^|&;\n]*?)\s--?failfast(?:=true)?(?:\s|$)` +
	`|\b((?:jest|vitest|mocha)\b[^|&;\n]*?)\s(?:-b|--bail(?:=\d+)?)(?:\s|$)` +
	`|\b(rspec\b[^|&;\n]*?)\s--fail-fast(?:=\d+)?(?:\s|$)` +
	`|\b(phpunit\b[^|&;\n]*?)\s--stop-on-[a-z]+(?:\s|$)`)

// cargoTest stops behind the first program of tests that fails, unless it is told not to.
var cargoTest = lazyregexp.New(`\bcargo (?:\+\S+ )?test\b`)

var noFailFast = lazyregexp.New(`--no-fail-fast\b`)

// ToItsEnd returns a command whose runners of tests do not stop at a first failure; ok is
// false where it has none that do.
func ToItsEnd(command string) (whole string, ok bool) {
	whole = command
	for range 8 { // a runner may have several such words
		next := failFast.ReplaceAllString(whole, "$1$2$3$4$5$6 ")
		if next == whole {
			break
		}
		whole = next
	}
	if cargoTest.MatchString(whole) && !noFailFast.MatchString(whole) {
		whole = cargoTest.ReplaceAllString(whole, "${0} --no-fail-fast")
	}
	return whole, whole != command
}
