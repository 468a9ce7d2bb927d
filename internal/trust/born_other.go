//go:build !linux

package trust

// born is unknown here: a copy at the place of the original is taken for it.
func born(string) string { return "" }
