package trust

import "io/fs"

// Ours is unknown here: file modes say nothing. The state directory is below the
// user's own profile.
func Ours(fs.FileInfo) bool { return true }

// identity is unknown here: a renamed repository is adopted with a command.
func identity(string) string { return "" }
