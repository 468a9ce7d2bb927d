package suspect

import (
	"bytes"
	"strings"

	"ralph/internal/proof/syntax"
)

// oddEndsIn names the first new line of a file that has such characters in it.
func oddEndsIn(file, lang string, source []byte, old map[string]bool) []Finding {
	start := 0
	for line := range bytes.Lines(source) {
		if at := syntax.OddEnds.FindIndex(line); at != nil && !old[strings.TrimSpace(string(line))] {
			before := syntax.InLines(lang, source[:start+at[0]])
			return []Finding{{Path: file, Line: 1 + strings.Count(before, "\n"), What: hidesLines}}
		}
		start += len(line)
	}
	return nil
}
