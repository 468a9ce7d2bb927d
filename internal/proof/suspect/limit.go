package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// A test can take the limit that it holds the product to from the product: the seconds that a
// search may take, the difference that a result may have.

// loosensLimit is what a line does that changes such a limit.
const loosensLimit = "changes a limit that existing tests take from the product"

// numberSet matches a line that gives a name a number, in Python, JavaScript, Go and Rust; its
// groups are the name and the number.
var numberSet = lazyregexp.New(`(?m)^[ \t]*(?:(?:export|pub|static|readonly|public|const|var|let|final)\s+)*([A-Za-z_]\w*)(?:[ \t]*:[ \t]*[\w.]+|[ \t]+\w+)?[ \t]*=[ \t]*([-+]?[.\d][^\n;#]*|[\w.]+\s*\*\s*[.\d][^\n;#]*)`)

// opensNames matches a line in whose block names are seen from outside of it.
var opensNames = lazyregexp.New(`^\s*(?:(?:export|default|pub(?:\([^)]*\))?|abstract)\s+)*(?:class|impl|mod|trait)\b|^(?:const|var)\s*\(\s*$`)

// limits are the numbers that a source gives names which its tests can see: no function encloses
// them. One name can have several.
func limits(text string) map[string][]string {
	type block struct {
		indent int
		open   bool // its names are seen from outside
	}
	out, within := map[string][]string{}, []block{}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := indentOf(line)
		for len(within) > 0 && within[len(within)-1].indent >= indent {
			within = within[:len(within)-1]
		}
		open := len(within) == 0 || within[len(within)-1].open
		if m := numberSet.FindStringSubmatch(line); open && m != nil {
			out[m[1]] = append(out[m[1]], strings.TrimSpace(m[2]))
		}
		within = append(within, block{indent, open && opensNames.MatchString(line)})
	}
	return out
}

// loosened are the lines of a changed source that change a number which a test of the base
// holds the product to.
func (h helpers) loosened(c changed) (out []Finding, err error) {
	if c.lang != "python" && c.lang != "js" && c.lang != "go" && c.lang != "rust" {
		return nil, nil
	}
	was, code := limits(syntax.WithoutComments(c.lang, c.was)), syntax.WithoutComments(c.lang, c.text)
	for _, m := range numberSet.FindAllStringSubmatchIndex(code, -1) {
		name := code[m[2]:m[3]]
		before := was[name]
		if len(before) == 0 || slices.Contains(before, strings.TrimSpace(code[m[4]:m[5]])) {
			continue
		}
		limit, err := h.isLimit(name)
		if err != nil {
			return nil, err
		}
		if limit {
			out = append(out, Finding{Path: c.Path, Line: lineOf(code, m[2]), What: loosensLimit})
		}
	}
	return out, nil
}

// isLimit reports whether a test of the base takes a name as a limit: it stands behind a sign
// of less or more, or is a tolerance or timeout.
func (h helpers) isLimit(name string) (bool, error) {
	used := regexp.MustCompile(`[^-=<>][<>]=?\s*(?:\w+\.)*` + name + `\b|\b` + name + `\s*[<>]=?[^<>]|(?i:\b(?:approx|abs|rel|delta|places|\w*tol\w*|timeout|within|isclose|\w*LessThan\w*|\w*GreaterThan\w*|toBeCloseTo|InDelta|InEpsilon|assertLess\w*|assertGreater\w*))\b[^\n]{0,80}\b` + name + `\b`)
	for n, p := range slices.DeleteFunc(proof.SortedPaths(h.Before), func(p string) bool { _, test := proof.IsTest(p); return !test || !proof.IsFile(h.Before[p]) }) {
		if n == judge.MostFollowed {
			break
		}
		data, err := h.Content(h.Before[p].ID)
		if err != nil || strings.Contains(string(data), name) && used.Match(data) {
			return err == nil, err
		}
	}
	return false, nil
}
