package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
)

// behind are the paths to which links of tests lead on the base. A link "testdata -> data"
// makes the files of data fixtures; a link test_a.py makes its target a test.
type behind struct {
	// files and folders are the targets of links that are, by their names, tests or
	// folders of tests: all of it belongs to the tests, the links too.
	files, folders []string
	// data are folders behind other links in folders of tests. Their sources can be the
	// product, and what is no source is a fixture.
	data []string
}

// behindLinks follows the links of the base.
func (d *Diff) behindLinks() (found behind, err error) {
	l, err := proof.LinksOf(d.Base, d.Content)
	for link := range l {
		target, inside := l.End(link)
		_, folder := proof.IsTest(path.Base(link) + "/x")
		_, within := proof.IsTest(link + "/x")
		_, named := proof.IsTest(path.Base(link))
		_, file := d.Before[target]
		if within {
			found.files = append(found.files, link)
		}
		switch {
		case !inside || target == "" || target == "." || strings.HasPrefix(link, target+"/"):
		case file && (named || within && proof.LanguageOf(target) == ""):
			found.files = append(found.files, target)
		case file:
		case folder:
			found.folders = append(found.folders, target)
		case within:
			found.data = append(found.data, target)
		}
	}
	return found, err
}

// isTest is proof.IsTest, and knows what links of the base make a test or fixture.
func (d *Diff) isTest(p string) (lang string, ok bool) {
	if lang, ok = proof.IsTest(p); ok {
		return lang, true
	}
	lang = proof.LanguageOf(p)
	below := func(folder string) bool { return strings.HasPrefix(p, folder+"/") }
	name := strings.ToLower(path.Base(p))
	data := lang == "" && !proof.IsDocument(name) && !proof.Matches(proof.Installs, name)
	if slices.Contains(d.behind.files, p) || slices.ContainsFunc(d.behind.folders, below) || data && slices.ContainsFunc(d.behind.data, below) {
		return lang, true
	}
	return "", false
}
