package syntax

import "strings"

// Before is what stands before the first separator; all where there is none.
func Before(s, sep string) string {
	head, _, _ := strings.Cut(s, sep)
	return head
}
