package manifest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// mergeGoMod takes the requirements of the work, and its go line where that is not
// older. Replacements, tools, the toolchain and settings of the runtime are the
// base's, and replacements of modules that have nothing to do with those of the base.
func mergeGoMod(base, work []byte) (merged []byte, same, ok bool) {
	now := GoStatements(string(work))
	if !slices.ContainsFunc(now, func(s string) bool { return strings.HasPrefix(s, "module ") }) {
		return nil, false, false
	}
	var out []string
	if base == nil {
		for _, s := range now {
			if slices.Contains([]string{"module", "go", "require", "retract", "exclude"}, syntax.Before(s, " ")) {
				out = append(out, s)
			}
		}
	} else {
		for _, s := range GoStatements(string(base)) {
			switch syntax.Before(s, " ") {
			case "require":
			case "go":
				out = append(out, newerGo(s, now))
			default:
				out = append(out, s)
			}
		}
		for _, s := range now {
			if syntax.Before(s, " ") == "require" || ReplacesNew(s, base) {
				out = append(out, s)
			}
		}
	}
	return []byte(strings.Join(out, "\n") + "\n"), SameLines(out, now), true
}

// ReplacesNew reports whether a statement takes a module from a folder that the base
// cannot use: neither its path nor one above or below it occurs in the base's go.mod.
func ReplacesNew(statement string, base []byte) bool {
	w := strings.Fields(statement)
	if len(w) != 4 || w[0] != "replace" || w[2] != "=>" || !strings.HasPrefix(w[3], "./") || !strings.Contains(syntax.Before(w[1], "/"), ".") {
		return false
	}
	for _, s := range GoStatements(string(base)) {
		for _, known := range strings.Fields(s)[1:] {
			if known == w[1] || strings.HasPrefix(known, w[1]+"/") || strings.HasPrefix(w[1], known+"/") {
				return false
			}
		}
	}
	return true
}

// newerGo is the go statement of the work, unless that of the base is newer.
func newerGo(base string, work []string) string {
	for _, s := range work {
		if syntax.Before(s, " ") == "go" && compareVersions(s[2:], base[2:]) > 0 {
			return s
		}
	}
	return base
}

func compareVersions(a, b string) int {
	numbers := func(v string) (out []int) {
		for part := range strings.SplitSeq(strings.TrimSpace(v), ".") {
			n, _ := strconv.Atoi(part)
			out = append(out, n)
		}
		return out
	}
	return slices.Compare(numbers(a), numbers(b))
}

// GoStatements returns the statements of a go.mod, one line each, without comments
// and with single blanks.
func GoStatements(mod string) []string {
	var out []string
	block := ""
	for line := range strings.Lines(mod) {
		w := strings.Fields(syntax.Before(line, "//"))
		switch {
		case len(w) == 0:
		case block != "" && w[0] == ")":
			block = ""
		case block != "":
			out = append(out, block+" "+strings.Join(w, " "))
		case len(w) == 2 && w[1] == "(":
			block = w[0]
		case strings.HasSuffix(w[0], "(") && len(w) == 1:
			block = strings.TrimSuffix(w[0], "(")
		default:
			out = append(out, strings.Join(w, " "))
		}
	}
	return out
}

// SameLines reports whether two lists have the same lines, in any order.
func SameLines(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// plainRequirement is a line of requirements.txt that takes a package from the index.
var plainRequirement = lazyregexp.New(`^[A-Za-z0-9][\w.\[\], -]*(?:\s*(?:[=<>!~]=?=?)[^@:/\\]*)?(?:\s*;[^@:/\\]*)?(?:\s*--hash=\S+|\s*\\)*$`)

func mergeRequirements(base, work []byte) (merged []byte, same, ok bool) {
	return mergeByLine(base, work, func(line string) bool {
		return plainRequirement.MatchString(line) || strings.HasPrefix(line, "--hash=")
	})
}

// plainGem is a line of a Gemfile that takes a gem from its source.
var plainGem = lazyregexp.New(`^gem\s+["'][\w.-]+["'](?:\s*,\s*["'][^"'#]*["'])*(?:\s*,\s*(?:require|group|groups|platforms?)(?::|:?\s*=>)\s*(?:false|:\w+|["'][\w./-]*["']|\[[:\w, ]*\]))*$`)

func mergeGemfile(base, work []byte) (merged []byte, same, ok bool) {
	return mergeByLine(base, work, plainGem.MatchString)
}

// mergeByLine takes the work's file whole where it differs only in lines that are
// dependencies, blank or comments; else the base's. An added file keeps only such
// lines, and a Gemfile its sources.
func mergeByLine(base, work []byte, dependency func(line string) bool) (merged []byte, same, ok bool) {
	other := func(data []byte) (out []string) {
		for line := range strings.FieldsFuncSeq(string(data), syntax.IsLineEnd) { // pip ends lines at any of these
			line = strings.TrimSpace(line)
			if i := strings.Index(line, " #"); i >= 0 {
				line = strings.TrimSpace(line[:i])
			}
			if line != "" && line[0] != '#' && !dependency(line) && line != `source "https://rubygems.org"` && line != `source 'https://rubygems.org'` {
				out = append(out, line)
			}
		}
		return out
	}
	if slices.Equal(other(base), other(work)) {
		return nil, true, true
	}
	return nil, false, false
}

// mergePOM takes the elements of dependencies from the work. One that names a file
// of the tree is none.
func mergePOM(base, work []byte) (merged []byte, same, ok bool) {
	from, err := pomParts(work)
	if err != nil || base == nil || bytes.Contains(work, []byte("systemPath")) && !bytes.Contains(base, []byte("systemPath")) {
		return nil, false, false
	}
	to, err := pomParts(base)
	if err != nil {
		return nil, false, false
	}
	if squeeze(to.without(base)) == squeeze(from.without(work)) {
		return nil, true, true
	}
	out := slices.Clone(base[:to.parts[0].from])
	// The elements of the base are replaced where they are; the order of the elements
	// of a project is free.
	for i, p := range to.parts {
		end := to.end
		if i+1 < len(to.parts) {
			end = to.parts[i+1].from
		}
		out = slices.Concat(out, base[p.to:end])
	}
	for _, p := range from.parts {
		out = append(out, work[p.from:p.to]...)
	}
	return append(out, base[to.end:]...), false, true
}

// pom is where the elements of dependencies are in a pom.xml, and where its project
// ends. The first part is empty, and stands before the others.
type pom struct {
	parts []span
	end   int
}

type span struct{ from, to int }

func (p pom) without(data []byte) []byte {
	var out []byte
	last := 0
	for _, s := range p.parts {
		out = append(out, data[last:s.from]...)
		last = s.to
	}
	return append(out, data[last:]...)
}

func squeeze(data []byte) string { return strings.Join(strings.Fields(string(data)), " ") }

func pomParts(data []byte) (pom, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = true
	depth, out := 0, pom{end: -1}
	for {
		start := int(d.InputOffset())
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
		switch t := t.(type) {
		case xml.Directive:
			return out, errors.New("a document type can define what elements mean")
		case xml.StartElement:
			depth++
			switch name := t.Name.Local; {
			case depth == 1 && name != "project":
				return out, errors.New("no project")
			case depth == 2 && len(out.parts) == 0:
				out.parts = []span{{start, start}}
			}
			if name := t.Name.Local; depth == 2 && (name == "dependencies" || name == "dependencyManagement") {
				if err := d.Skip(); err != nil {
					return out, err
				}
				depth--
				out.parts = append(out.parts, span{start, int(d.InputOffset())})
			}
		case xml.EndElement:
			if depth--; depth > 0 {
				break
			}
			if out.end = start; len(out.parts) == 0 {
				out.parts = []span{{start, start}}
			}
		}
	}
	if out.end < 0 {
		return out, errors.New("no whole project")
	}
	return out, nil
}
