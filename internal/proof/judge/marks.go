package judge

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// markOfChecker matches a text in quotes that is a comment, as programs which check sources
// look for it.
var markOfChecker = lazyregexp.New(`["']((?:#|//|/\*|--|<!--) ?[A-Za-z][\w :-]{2,40})["']`)

// marks are the comments that the programs and scripts of a gate look for, one a line.
func marks(texts []gateText) string {
	var out []string
	for _, t := range texts {
		for _, m := range markOfChecker.FindAllStringSubmatch(t.text, -1) {
			if mark := strings.TrimSpace(m[1]); !slices.Contains(out, mark) {
				out = append(out, mark)
			}
		}
	}
	return strings.Join(out, "\n")
}
