package proof

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// dataNames are the endings of files that tests read: inputs and expected values.
var dataNames = []string{".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".txt", ".xml", ".html", ".dat", ".data", ".out", ".expected", ".sql", ".bin", ".in", ".ini"}

// holdsCases reports whether a file of data on the base belongs to its tests: their
// sources name it, and no source of the product does.
func (d *diff) holdsCases(f File) (bool, error) {
	name := path.Base(f.Path)
	if !slices.Contains(dataNames, strings.ToLower(path.Ext(name))) || manifestOf(f.Path) != nil || matches(installs, strings.ToLower(name)) || !isFile(f) {
		return false, nil
	}
	tests, product := 0, 0
	by := false
	for _, s := range d.Base {
		_, test := d.isTest(s.Path)
		if languageOf(s.Path) == "" || !isFile(s) || s.Path == f.Path {
			continue
		}
		count := &product
		if test {
			count = &tests
		}
		if *count++; *count > mostFollowed {
			if !test { // whether the product reads it is not known
				return false, nil
			}
			continue
		}
		data, err := d.Content(s.ID)
		if err != nil {
			return false, err
		}
		if !strings.Contains(string(data), name) {
			continue
		}
		if !test {
			return false, nil
		}
		by = true
	}
	return by, nil
}

var (
	// asserts matches a statement that compares what the product does.
	asserts = lazyregexp.New(`(?m)^[ \t]*assert[ (]|['"](?:node:)?assert(?:/strict)?['"]|^[ \t]*raise AssertionError`)
	// converses matches a program that takes its input from where it was called.
	converses = lazyregexp.New(`\bsys\.argv\b|\bargparse\b|\binput\(|\bstdin\b|\bprocess\.argv\b|\bcreateServer\b|\blisten\(|^#!.*\bflask\b`)
)

// checks reports whether a source of the base is a program that tests: a script of the
// gate names it, it imports the product, asserts, and reads nothing from its caller.
func (d *diff) checks(f File) (bool, error) {
	lang := languageOf(f.Path)
	if lang != "python" && lang != "js" || !isFile(f) {
		return false, nil
	}
	if err := d.follow(); err != nil || !d.mentions[f.Path] {
		return false, err
	}
	data, err := d.Content(f.ID)
	if err != nil || len(data) > longestScript {
		return false, err
	}
	text := string(data)
	return asserts.MatchString(text) && !converses.MatchString(text) && (lang == "js" || d.importsProject(text)) && (lang == "js" || !d.imported(f.Path)), nil
}
