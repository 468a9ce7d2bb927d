package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// The data of tests tells what they expect. Product code that names such a file can answer
// from it.

// namesTestData is what such lines do.
const namesTestData = "mentions a file with expected results, where it could read the answers"

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
	for n, line := range newCode(lang, text, old) {
		parts := ""
		for _, m := range wordsOfPath.FindAllStringSubmatch(line, -1) {
			if parts = path.Join(parts, m[1]); data[lastTwo(parts)] {
				out = append(out, Finding{Path: file, Line: n, What: namesTestData})
				break
			}
		}
	}
	return out
}

// mostNamed bounds the files of data that new lines name and of which is asked who reads them.
const mostNamed = 20

// NamesTestData returns the new lines of the product's sources that name a file of data outside of
// the folders of tests, which on the base tests or the scripts of a gate read, and no source of
// the product. What the task names is the work.
func NamesTestData(base, work []proof.File, gates []loop.Gate, task string, content func(id string) ([]byte, error)) ([]Finding, error) {
	byName := map[string][]string{}
	for _, p := range judge.Data(base) {
		if name := path.Base(p); !strings.Contains(task, name) {
			byName[name] = append(byName[name], p)
		}
	}
	lines, err := naming(byName, proof.Index(base), proof.Index(work), content)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	var named []string
	for _, l := range lines {
		named = append(named, byName[l.name]...)
	}
	slices.Sort(named)
	named = slices.Compact(named)
	most := min(len(named), mostNamed)
	read := slices.Clone(named[most:]) // of these it is not known
	for _, g := range gates {
		by, err := judge.ReadBy(g, base, named[:most], content)
		if err != nil {
			return nil, err
		}
		read = append(read, by...)
	}
	var found []Finding
	for _, l := range lines {
		if slices.ContainsFunc(read, func(p string) bool { return path.Base(p) == l.name }) {
			found = append(found, l.Finding)
		}
	}
	return found, nil
}

// namingLine is a line that names a file.
type namingLine struct {
	Finding
	name string
}

// naming are the new lines of the product's sources that name one of these files.
func naming(names map[string][]string, before, after map[string]proof.File, content func(id string) ([]byte, error)) (found []namingLine, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	for _, p := range changedSources(after, before) {
		text, err := content(after[p].ID)
		if err != nil {
			return nil, err
		}
		lang := proof.SourceLanguage(p, string(text))
		if lang == "" || len(text) > syntax.LongestSource {
			continue
		}
		old := map[string]bool{}
		if f, had := before[p]; had {
			was, err := content(f.ID)
			if err != nil {
				return nil, err
			}
			syntax.AddLines(old, string(was))
		}
		lines := strings.Split(string(text), "\n")
		code := syntax.CodeLines(lang, lines)
		for n, line := range lines {
			if lang == "go" && strings.HasPrefix(line, "//go:embed ") {
				code[n] = line
			}
			if old[strings.TrimSpace(line)] {
				continue
			}
			for _, word := range wordOfPath.FindAllString(code[n], -1) {
				if names[word] != nil {
					found = append(found, namingLine{Finding: Finding{Path: p, Line: n + 1, What: namesTestData}, name: word})
					break
				}
			}
		}
	}
	return found, nil
}
