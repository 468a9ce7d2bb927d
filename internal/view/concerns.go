package view

import (
	"slices"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Concerns returns concerns with their text on one line. A file that the work names can have
// line ends in its name, which would forge lines of their own, and characters that hide
// others: they are shown by their symbols.
func Concerns(all []loop.Concern) []loop.Concern {
	all = slices.Clone(all)
	for i := range all {
		all[i].What = text.Name(all[i].What)
	}
	return all
}
