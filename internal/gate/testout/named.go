package testout

import "strings"

// NamesTest reports whether the id of a failure names a test, rather than a
// package or a file that does not build or load.
func (f Format) NamesTest(id string) bool {
	switch f {
	case GoTest:
		return strings.Contains(id, ":")
	case Pytest:
		return strings.Contains(id, "::")
	case Unittest:
		return !strings.Contains(id, "_FailedTest.")
	}
	return true
}
