//go:build !unix

package git

// own leaves the question to git where it cannot be answered by looking.
func own(string) bool { return false }
