package next

import "strings"

// In is a command of this package as it is typed outside of the repository at root.
func In(root, command string) string {
	rest, ok := strings.CutPrefix(command, "ralph ")
	if !ok {
		return command
	}
	return "ralph -C " + word(root) + " " + rest
}
