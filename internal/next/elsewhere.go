package next

import "strings"

// In is a command of this package as it is typed outside of the repository at root.
func In(root, command string) string {
	for _, program := range []string{"ralph", "git"} {
		if rest, ok := strings.CutPrefix(command, program+" "); ok {
			return program + " -C " + word(root) + " " + rest
		}
	}
	return command
}
