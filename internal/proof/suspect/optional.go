package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// Tests can import a module where there is one, and use something else where there is none. A
// file that the work adds under such a name changes what they use.
var (
	// triesPython matches such an import, its groups the module in each form; triesScript the block where one may stand.
	triesPython = lazyregexp.New(`(?m)^[ \t]*try:[ \t]*\n[ \t]+(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+))`)
	triesScript = lazyregexp.New(`\btry\s*\{`)
)

// optional are the added files that tests of the base import where they are there.
func (h helpers) optional() (found []Finding, err error) {
	var added []string
	for _, p := range proof.SortedPaths(h.After) {
		if _, had := h.Before[p]; !had {
			added = append(added, p)
		}
	}
	read := 0
	for _, p := range proof.SortedPaths(h.Before) {
		lang, test := proof.IsTest(p)
		if len(added) == 0 || !test || !proof.IsFile(h.Before[p]) || lang != "python" && lang != "js" || read >= mostSuspectFiles {
			continue
		}
		data, err := h.Content(h.Before[p].ID)
		if err != nil {
			return nil, err
		}
		read++
		for _, name := range triedBy(p, lang, string(data)) {
			if slices.Contains(added, name) {
				found = append(found, Finding{Path: name, What: takesPlace + " what existing tests use without it"})
			}
		}
	}
	slices.SortFunc(found, func(a, b Finding) int { return strings.Compare(a.Path, b.Path) })
	return slices.Compact(found), nil
}

// triedBy are the paths at which a test may find the modules that it can do without.
func triedBy(p, lang, text string) (paths []string) {
	if lang == "js" {
		for _, module := range triedInScript(text) {
			stem := path.Join(proof.DirOf(p), module)
			paths = append(paths, stem)
			for _, ending := range append([]string{".json"}, syntax.NodeEndings...) {
				paths = append(paths, stem+ending, path.Join(stem, "index"+ending))
			}
		}
		return paths
	}
	for _, m := range triesPython.FindAllStringSubmatch(text, -1) {
		module := strings.ReplaceAll(strings.TrimLeft(m[1]+m[2], "."), ".", "/")
		for _, root := range append([]string{proof.DirOf(p)}, judge.PythonRoots...) {
			stem := path.Join(root, module)
			paths = append(paths, stem+".py", path.Join(stem, "__init__.py"))
		}
	}
	return paths
}

// triedInScript are the modules that a source of JavaScript imports by a path in a block of try.
func triedInScript(text string) (modules []string) {
	ends, imports := syntax.BlocksOf(text), syntax.ScriptImports(text)
	for _, at := range triesScript.FindAllStringIndex(text, -1) {
		for _, i := range imports {
			if i.Relative() && i.Begin >= at[1] && i.End <= ends[at[1]] {
				modules = append(modules, i.Module)
			}
		}
	}
	return modules
}
