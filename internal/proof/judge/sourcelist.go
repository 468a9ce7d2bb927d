package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

var (
	// makeList matches an assignment of make: the variable with its operator, and the value.
	makeList = lazyregexp.New(`^(\w+[ \t]*[:+?]?=)[ \t]*(.*)$`)
	// builtFile matches a source of C or an object that make builds from one.
	builtFile = lazyregexp.New(`^(\w[\w./-]*)\.(c|cc|cpp|cxx|h|hpp|o)$`)
	// ownVersion matches an assignment of the project's own version.
	ownVersion = lazyregexp.New(`^(?:(?:APP|PROJECT|PACKAGE|PKG|LIB)_)?VERSION(?:_(?:MAJOR|MINOR|PATCH))?[ \t]*[:?]?=[ \t]*v?\d+(?:\.\d+)*(?:[-+.][\w.]+)?$`)
)

// madeSources are the sources of C that an object can be built from.
var madeSources = []string{".c", ".cc", ".cpp", ".cxx"}

// mergeLists merges a makefile, to which the work may add sources of its own.
func (d *Diff) mergeLists(p string) manifest.Merger {
	isNew := func(name string) bool {
		at := path.Join(proof.DirOf(p), name)
		return d.Before[at].Path == "" && d.After[at].Path != "" && proof.IsFile(d.After[at])
	}
	may := func(word string) bool {
		m := builtFile.FindStringSubmatch(word)
		switch {
		case m == nil || slices.Contains(strings.Split(word, "/"), ".."):
			return false
		case m[2] != "o":
			return isNew(word)
		}
		return slices.ContainsFunc(madeSources, func(ending string) bool { return isNew(m[1] + ending) })
	}
	return func(base, work []byte) ([]byte, bool, bool) { return mergeMakefile(base, work, may) }
}

// mergeMakefile returns the makefile of the base with the sources that the work adds to
// lists (SRC = tax.c round.c), if it may, and its version. Nothing else of a makefile is the
// work's.
func mergeMakefile(base, work []byte, may func(word string) bool) (merged []byte, same, ok bool) {
	now, listed := map[string]string{}, map[string]int{}
	for _, line := range makeLines(string(work)) {
		if m := makeList.FindStringSubmatch(unfolded(line)); m != nil {
			now[m[1]] = line
			listed[m[1]]++
		}
	}
	var out strings.Builder
	had := map[string]int{}
	lines := makeLines(string(base))
	for _, line := range lines {
		if m := makeList.FindStringSubmatch(unfolded(line)); m != nil {
			had[m[1]]++
		}
	}
	for _, line := range lines {
		m := makeList.FindStringSubmatch(unfolded(line))
		if m != nil && had[m[1]] == 1 && listed[m[1]] == 1 {
			if other := unfolded(now[m[1]]); extends(m[2], makeList.FindStringSubmatch(other)[2], may) || ownVersion.MatchString(unfolded(line)) && ownVersion.MatchString(other) {
				line = now[m[1]]
			}
		}
		out.WriteString(line)
	}
	return []byte(out.String()), out.String() == string(work), true
}

// makeLines are the lines of a makefile with their ends; a backslash continues one.
func makeLines(text string) (lines []string) {
	var line string
	for part := range strings.Lines(text) {
		line += part
		if !strings.HasSuffix(strings.TrimRight(part, "\n"), "\\") {
			lines, line = append(lines, line), ""
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func unfolded(line string) string {
	return strings.TrimRight(strings.ReplaceAll(line, "\\\n", " "), "\n")
}

// extends reports whether a list holds all words of another one, in their order, and
// otherwise those that it may.
func extends(old, now string, may func(word string) bool) bool {
	rest := strings.Fields(old)
	for _, word := range strings.Fields(now) {
		switch {
		case len(rest) > 0 && rest[0] == word:
			rest = rest[1:]
		case !may(word):
			return false
		}
	}
	return len(rest) == 0
}
