package judge

import "ralph/internal/lazyregexp"

// failFast match the options that let runners of tests stop at a first failure, behind the
// words that name the runner in the same command.
var failFast = []*lazyregexp.Regexp{
	lazyregexp.New(`\b(py\.?test` + sameCommand + `(?:-x|--exitfirst|--maxfail(?:=|\s+)\d+)(?:\s|$)`),
	lazyregexp.New(`\b(unittest` + sameCommand + `(?:-f|--failfast)(?:\s|$)`),
	lazyregexp.New(`\b(go test` + sameCommand + `--?failfast(?:=true)?(?:\s|$)`),
	lazyregexp.New(`\b((?:jest|mocha)` + sameCommand + `(?:-b|--bail(?:=\d+)?)(?:\s|$)`),
	lazyregexp.New(`\b(vitest` + sameCommand + `--bail(?:=|\s+)\d+(?:\s|$)`),
	lazyregexp.New(`\b((?:ava|rspec|deno test)` + sameCommand + `--fail-fast(?:=\d+)?(?:\s|$)`),
	lazyregexp.New(`\b((?:phpunit|ctest)` + sameCommand + `--stop-on-[a-z]+(?:\s|$)`),
	lazyregexp.New(`\b(playwright test` + sameCommand + `(?:-x|--max-failures(?:=|\s+)\d+)(?:\s|$)`),
	lazyregexp.New(`\b(mix test` + sameCommand + `--max-failures(?:=|\s+)\d+(?:\s|$)`),
}

// sameCommand is what stands between a runner and its option.
const sameCommand = `\b[^|&;\n]*?)\s`

// failFastAnywhere matches the long ones of these options where the runner is not to be seen: it
// is behind make or a script, or in a variable.
var failFastAnywhere = lazyregexp.New(`(?:^|[\s"'=])(?:--?failfast|--fail-fast|--bail|--stop-on-(?:failure|error|defect)|--max-?fail(?:ures)?)\b`)

// StopsEarly reports whether a command lets a runner of tests stop at a first failure, other than
// cargo, which says so.
func StopsEarly(command string) bool {
	return failFastAnywhere.MatchString(command) || withoutFailFast(command) != command
}

// cargoTest stops behind the first program of tests that fails, unless it is told not to.
var cargoTest = lazyregexp.New(`\bcargo (?:\+\S+ )?test\b`)

var noFailFast = lazyregexp.New(`--no-fail-fast\b`)

// ToItsEnd returns a command whose runners of tests do not stop at a first failure; ok is
// false where it has none that do.
func ToItsEnd(command string) (whole string, ok bool) {
	whole = withoutFailFast(command)
	if cargoTest.MatchString(whole) && !noFailFast.MatchString(whole) {
		whole = cargoTest.ReplaceAllString(whole, "${0} --no-fail-fast")
	}
	return whole, whole != command
}

func withoutFailFast(command string) string {
	for _, runner := range failFast {
		for range 8 { // a command may have several such options
			command = runner.ReplaceAllString(command, "$1 ")
		}
	}
	return command
}
