package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// The data of tests tells what they expect. Product code that names such a file can answer
// from it.

// namesTestData is what such lines do.
const namesTestData = "names a file with what tests expect"

// ownTestFolders hold data of tests and of nothing else: programs load fixtures, too.
var ownTestFolders = []string{"test", "tests", "testdata", "test_data", "test-data", "__tests__", "__snapshots__", "__fixtures__", "golden", "goldens"}

// wordsOfPath matches literals that may be parts of a path.
var wordsOfPath = lazyregexp.New("[\"'`]([\\w@.][\\w@./-]*)[\"'`]")

// testDataOf are the files of data that tests of a commit have, by the last two parts of
// their paths.
func testDataOf(files map[string]proof.File) map[string]bool {
	data := map[string]bool{}
	for p, f := range files {
		inTests := slices.ContainsFunc(strings.Split(proof.DirOf(p), "/"), func(dir string) bool {
			return slices.Contains(ownTestFolders, strings.ToLower(dir))
		})
		if inTests && proof.IsFile(f) && proof.SourceLanguage(p, "") == "" {
			data[lastTwo(p)] = true
		}
	}
	return data
}

func lastTwo(p string) string { return path.Join(path.Base(proof.DirOf(p)), path.Base(p)) }

// namesTestDataIn are the new lines of a source that name one of these files with its folder,
// in one literal or in several that are joined.
func namesTestDataIn(file, lang, text string, data, old map[string]bool) (out []Finding) {
	if len(data) == 0 || lang == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for n, line := range syntax.CodeLines(lang, lines) {
		if old[strings.TrimSpace(lines[n])] {
			continue
		}
		parts := ""
		for _, m := range wordsOfPath.FindAllStringSubmatch(line, -1) {
			if parts = path.Join(parts, m[1]); data[lastTwo(parts)] {
				out = append(out, Finding{Path: file, Line: n + 1, What: namesTestData})
				break
			}
		}
	}
	return out
}
