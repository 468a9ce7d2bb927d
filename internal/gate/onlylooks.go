package gate

import "path"

// onlyLooks says whether a program only looks at the files that its words name:
// "grep -q fixed README.md" asks about the work, README.md judges nothing. The
// patterns of grep -f do.
func onlyLooks(words []string, i int) bool {
	switch path.Base(words[0]) {
	case "grep", "egrep", "fgrep", "rg":
		return words[i-1] != "-f" && words[i-1] != "--file"
	case "test", "[", "ls", "wc", "stat":
		return true
	}
	return false
}
