package view

import "ralph/internal/text"

// Clean makes foreign text safe for a terminal, as text.Clean does.
func Clean(s string) string { return text.Clean(s) }
