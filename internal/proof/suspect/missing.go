package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/redgreen"
)

// namedNowhere is what the work does that a task asks for by name.
const namedNowhere = "is requested by the task, but no file of the product contains it"

// asksFor matches a task, or a sentence of it, that asks for a function; its group is the name.
var asksFor = lazyregexp.New("(?im)(?:^|[.;:]\\s+)\\W{0,3}(?:please\\s+)?(?:add|write|implement|create|provide)\\s+(?:[\\w/-]+(?:\\.[\\w/-]+)*\\s+with\\s+)?(?:(?:an?|the)\\s+)?(?:(?:new|public|exported)\\s+)?(?:(?:function|method|func|helper)\\s+)?[`\"']?(?:\\w+\\.)*([A-Za-z_]\\w*)\\((?:[^()\\n]{0,120})\\)")

var (
	// saysOf matches an entry of a list that says what a function does; its groups are the name, and
	// what it says.
	saysOf = lazyregexp.New("(?m)^\\s*[-*]\\s+(?:\\[[ xX]\\]\\s+)?(?:`[^`\\n]+`:\\s+)?`(?:\\w+\\.)*([A-Za-z_]\\w*)\\([^()`\\n]*\\)`(.*)$")
	// isGone matches what a task says of a function that it does not ask for.
	isGone = lazyregexp.New(`(?i)\b(?:remov|delet|gone|drop|deprecat|no longer|renam|replac|instead|not\b|never\b|unused)`)
)

// missing are the functions for which a task asks and of which no file but tests and documents
// has the name, where the work changes sources of a language.
func missing(before, after map[string]proof.File, task string, content func(id string) ([]byte, error)) (out []Finding, err error) {
	var names []string
	for _, m := range asksFor.FindAllStringSubmatch(task, -1) {
		if !strings.HasPrefix(strings.ToLower(m[1]), "test") && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	for _, m := range saysOf.FindAllStringSubmatch(task, -1) {
		if !isGone.MatchString(m[2]) && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	searched, changed := 0, false
	for _, p := range proof.SortedPaths(after) {
		f := after[p]
		if redgreen.KeptWithTests(p) || !proof.IsFile(f) || proof.IsDocument(strings.ToLower(p)) {
			continue
		}
		changed = changed || f.ID != before[p].ID && proof.LanguageOf(p) != ""
		if searched++; searched > mostDeclaring {
			return nil, nil
		}
		data, err := content(f.ID)
		if err != nil {
			return nil, err
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			return regexp.MustCompile(`(?:^|[^\w$])` + regexp.QuoteMeta(name) + `(?:[^\w$]|$)`).Match(data)
		})
		if len(names) == 0 {
			return nil, nil
		}
	}
	if !changed {
		return nil, nil
	}
	for _, name := range names {
		out = append(out, Finding{Path: name + "()", What: namedNowhere})
	}
	return out, nil
}
