package suspect

import (
	"slices"
	"strings"

	"ralph/internal/proof"
)

// smallestCopy is the size in bytes from which two files of the same content are a copy:
// an empty file or a short line is often the same by chance.
const smallestCopy = 8

// answers are the new files of the product by which it reads what its tests expect under
// another name: links to them, and copies.
func answers(base, work map[string]proof.File, content func(id string) ([]byte, error)) (found []Finding, err error) {
	var files []proof.File
	tests := map[string]string{}
	for _, p := range proof.SortedPaths(work) {
		files = append(files, work[p])
		if _, test := proof.IsTest(p); test && proof.IsFile(work[p]) {
			tests[work[p].ID] = p
		}
	}
	var all proof.Links
	for _, p := range proof.SortedPaths(work) {
		f := work[p]
		if _, test := proof.IsTest(p); test || f.ID == base[p].ID {
			continue
		}
		if f.Mode == proof.LinkMode {
			if all == nil {
				if all, err = proof.LinksOf(files, content); err != nil {
					return nil, err
				}
			}
			if end, inside := all.End(p); inside && holdsTests(end, tests) {
				found = append(found, Finding{Path: p, What: leadsToTests})
			}
			continue
		}
		if original, is := tests[f.ID]; is && proof.IsFile(f) {
			data, err := content(f.ID)
			if err != nil {
				return nil, err
			}
			if len(data) >= smallestCopy {
				found = append(found, Finding{Path: p, What: copiesTests + " " + original})
			}
		}
	}
	return found, nil
}

// holdsTests reports whether a path is a test, with what belongs to it, or a folder of such.
func holdsTests(at string, tests map[string]string) bool {
	for _, p := range tests {
		if p == at || at == "." || strings.HasPrefix(p, at+"/") {
			return true
		}
	}
	return slices.Contains(proof.TestFolders, strings.ToLower(at))
}
