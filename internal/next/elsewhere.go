package next

import (
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// In is a command of this package as it is typed outside of the repository at root.
func In(root, command string) string {
	for _, program := range []string{"ralph", "git"} {
		if rest, ok := strings.CutPrefix(command, program+" "); ok {
			return program + " -C " + word(root) + " " + rest
		}
	}
	return command
}

// At is a command about a loop that is kept elsewhere.
func At(home loop.Home, command string) string {
	command += " --engine " + word(home.Engine)
	if home.Place != "" {
		command += "   # in " + text.Line(home.Place)
	}
	return command
}

// AbandonServer continues a loop here whose server is lost.
func AbandonServer(id string) string {
	return command("move", id, "--to", loop.LocalEngine, "--abandon-server")
}

// AbandonClone continues a loop on a server where the clone to which it moved is lost.
func AbandonClone(id string, server loop.Home) string {
	return command("move", id, "--to", word(server.Engine), "--abandon-clone")
}

// Move moves a loop to another engine, or completes a move.
func Move(id string, to loop.Home) string {
	command := command("move", id, "--to", word(to.Engine))
	if to.Place != "" {
		command += "   # in " + text.Line(to.Place)
	}
	return command
}
