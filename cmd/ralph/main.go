// Command ralph runs coding agents in loops until checks that the agent cannot
// talk its way past are green on a commit.
package main

import (
	"os"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/proc"
)

func main() {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	os.Exit(cli.Main(os.Args[1:], command.Process(), cli.Options{}))
}
