package suspect

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A task can name the error that bad input must give: "percent outside of 0..100 raises ValueError".
// Work that changes no file with that error, of the product or of its tests, leaves this part out.

// raisedNowhere is what such an error is.
const raisedNowhere = "is an error that the task asks for, but no file that the work changes contains it"

var (
	// asksForError matches a sentence of a task that asks for an error; its groups are the words
	// before, the error, and the words after it.
	asksForError = lazyregexp.New("([^.;\\n]*)(?:\\b(?i:raises?|throws?|raising|throwing|otherwise|else|returns?)\\s+(?:an?\\s+|the\\s+|new\\s+)?|\\()[`\"']?((?:\\w+\\.)*(?:[A-Z]\\w*(?:Error|Exception)|Err[A-Z]\\w*))\\b([^;\\n]*)")
	// noDemand matches words with which a sentence does not ask for the error, or says that it is
	// raised already.
	noDemand = lazyregexp.New(`(?i)\b(?:not|never|no longer|instead of|rather than|without|stop|as (?:now|before|today|it does|it is)|still|already|keeps?|currently|now|crash\w*|fail\w*|bug|wrong\w*|document\w*)\b`)
)

// unraised are the errors that the task asks for and that no changed file has, where the work
// changes the product.
func unraised(before, after map[string]proof.File, task string, content func(id string) ([]byte, error)) (out []Finding, err error) {
	var names []string
	for _, m := range asksForError.FindAllStringSubmatch(task, -1) {
		name := m[2][strings.LastIndexByte(m[2], '.')+1:]
		if !noDemand.MatchString(m[1]) && !noDemand.MatchString(syntax.Before(m[3], ". ")) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	changed, product, read := "", false, 0
	for _, p := range proof.SortedPaths(after) {
		f := after[p]
		lang := proof.LanguageOf(p)
		if f.ID == before[p].ID || !proof.IsFile(f) || lang == "" && path.Ext(p) != "" {
			continue
		}
		if read++; read > mostDeclaring {
			return nil, nil
		}
		text, err := content(f.ID)
		if err != nil {
			return nil, err
		}
		changed += string(text) + "\n"
		_, test := proof.IsTest(p)
		product = product || !test && lang != ""
	}
	for _, name := range names {
		if product && !regexp.MustCompile(`\b`+name+`\b`).MatchString(changed) {
			out = append(out, Finding{Path: name, What: raisedNowhere})
		}
	}
	return out, nil
}
