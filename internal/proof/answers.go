package proof

import (
	"slices"
	"strings"
)

// smallestCopy is the size in bytes from which two files of the same content are a copy:
// an empty file or a short line is often the same by chance.
const smallestCopy = 8

// answers are the new files of the product by which it reads what its tests expect under
// another name: links to them, and copies.
func answers(base, work map[string]File, content func(id string) ([]byte, error)) (found []Suspect, err error) {
	var files []File
	tests := map[string]string{}
	for _, p := range sortedPaths(work) {
		files = append(files, work[p])
		if _, test := isTest(p); test && isFile(work[p]) {
			tests[work[p].ID] = p
		}
	}
	var all links
	for _, p := range sortedPaths(work) {
		f := work[p]
		if _, test := isTest(p); test || f.ID == base[p].ID {
			continue
		}
		if f.Mode == linkMode {
			if all == nil {
				if all, err = linksOf(files, content); err != nil {
					return nil, err
				}
			}
			if end, inside := all.end(p); inside && holdsTests(end, tests) {
				found = append(found, Suspect{Path: p, What: leadsToTests})
			}
			continue
		}
		if original, is := tests[f.ID]; is && isFile(f) {
			data, err := content(f.ID)
			if err != nil {
				return nil, err
			}
			if len(data) >= smallestCopy {
				found = append(found, Suspect{Path: p, What: copiesTests + " " + original})
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
	return slices.Contains(testFolders, strings.ToLower(at))
}
