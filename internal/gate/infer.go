package gate

import "ralph/internal/loop"

// Infer says what kind of gate a command line makes, and the parser for it: a
// command that runs tests is judged by their results, any other by its exit
// code.
func Infer(command string) (kind loop.Kind, parse string) {
	if _, ok := runnerOf(command); ok {
		return loop.KindTests, "auto"
	}
	return loop.KindCommand, ""
}
