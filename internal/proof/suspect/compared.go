package suspect

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// namesCompared is what lines do that name a file with which a command of the gate compares.
const namesCompared = "mentions a file that the gate compares results with, where it could read the answers"

// namesComparedIn are the new lines of a file that name one of these files, with its folder if
// it has one.
func namesComparedIn(file, lang, text string, compared []string, old map[string]bool) (out []Finding) {
	if len(compared) == 0 || lang == "" {
		return nil
	}
	var names []string
	for _, p := range compared {
		name := regexp.QuoteMeta(path.Base(p))
		if dir := path.Base(proof.DirOf(p)); dir != "." {
			name = regexp.QuoteMeta(dir)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	pattern := lazyregexp.New(`(?:["'` + "`" + `]|\./|[\s(=])(?:` + strings.Join(names, "|") + `)["'` + "`" + `/]`)
	for line := range old {
		if pattern.MatchString(line) {
			return nil // the product has a use for it
		}
	}
	return newMatches(file, lang, text, namesCompared, old, pattern)
}
