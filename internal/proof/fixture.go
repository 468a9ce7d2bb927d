package proof

import (
	"errors"
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
	names := func(test bool) (is, more bool, err error) {
		files, more, err := d.reading(func(s File) bool {
			_, isTest := d.isTest(s.Path)
			return languageOf(s.Path) != "" && isTest == test && s.Path != f.Path
		})
		for _, s := range files {
			data, bad := d.Content(s.ID)
			if err = errors.Join(err, bad); err != nil || strings.Contains(string(data), name) {
				return err == nil, more, err
			}
		}
		return false, more, err
	}
	by, _, err := names(true)
	if err != nil || !by {
		return false, err
	}
	read, more, err := names(false) // with more, it is not known whether the product reads it
	return !read && !more, err
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
