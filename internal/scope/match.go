package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/lazyregexp"
)

// Match reports whether a path, relative to the root of the repository and with
// slashes, is in the scope. No scope at all matches nothing.
func Match(globs []string, name string) bool {
	for _, g := range globs {
		all, sure := alternatives(clean(g))
		if !sure {
			all = []string{clean(g)}
		}
		for _, g := range all {
			if doublestar.MatchUnvalidated(g, name) || !isFile(g) && doublestar.MatchUnvalidated(g+"/**", name) {
				return true
			}
		}
	}
	return false
}

var fileName = lazyregexp.New(`[^/.]\.[A-Za-z]{1,6}$`)

// isFile reports whether a glob without braces ends like the name of a file. A
// folder that is named like one is the exception that costs a warning.
func isFile(glob string) bool { return fileName.MatchString(glob) }

// Unmatched are the globs that match none of the names.
func Unmatched(globs, names []string) (out []string) {
	for _, g := range globs {
		if !slices.ContainsFunc(names, func(name string) bool { return Match([]string{g}, name) }) {
			out = append(out, g)
		}
	}
	return out
}

// Valid reports whether a glob can be matched: its brackets are closed, and it
// stays inside the repository.
func Valid(glob string) bool {
	g := clean(glob)
	return g != "" && doublestar.ValidatePattern(g) && !path.IsAbs(glob) && g != ".." && !strings.HasPrefix(g, "../")
}

// clean takes away "./" before and "/" behind.
func clean(glob string) string {
	for strings.HasPrefix(glob, "./") {
		glob = strings.TrimLeft(glob[2:], "/")
	}
	if glob = strings.TrimRight(glob, "/"); glob == "." {
		return "**"
	}
	return glob
}

// What is longer, or what braces multiply to more patterns than these, is not
// looked at.
const (
	mostAlternatives = 32
	longest          = 512
)

// alternatives writes braces out. It is not sure of more than can be looked at.
func alternatives(glob string) (all []string, sure bool) {
	if len(glob) > longest {
		return nil, false
	}
	todo := []string{glob}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		before, options, after, found := brace(at)
		if !found {
			all = append(all, at)
		}
		for _, o := range options {
			todo = append(todo, before+o+after)
		}
		if len(all)+len(todo) > mostAlternatives {
			return nil, false
		}
	}
	return all, true
}

// brace finds the first group of braces and its options.
func brace(s string) (before string, options []string, after string, found bool) {
	open, depth, from := -1, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			i = endOfClass(s, i)
		case c == '{':
			if depth == 0 {
				open, from = i, i+1
			}
			depth++
		case c == ',' && depth == 1:
			options = append(options, s[from:i])
			from = i + 1
		case c == '}' && depth == 1:
			return s[:open], append(options, s[from:i]), s[i+1:], true
		case c == '}' && depth > 1:
			depth--
		}
	}
	return s, nil, "", false
}

// endOfClass is the place of the bracket that closes the one at i, or i itself.
func endOfClass(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == '\\':
			j++
		case s[j] == ']' && j > i+1:
			return j
		}
	}
	return i
}
