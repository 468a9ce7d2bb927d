package command

import (
	"strings"

	"ralph/internal/text"
)

// Near returns the hint for a name that is not known: the one that was probably meant, of
// similar spelling or with this part, else the other hint.
func Near(typed string, known []string, otherwise string) string {
	return Suggest(text.Nearest(typed, known), typed, known, otherwise)
}

// Suggest is Near where the name of similar spelling, or "" for none, is found already.
func Suggest(near, typed string, known []string, otherwise string) string {
	for _, name := range known {
		if near == "" && len(typed) >= 3 && strings.Contains(name, typed) {
			near = name
		}
	}
	if near == "" {
		return otherwise
	}
	return "did you mean " + near + "?"
}
