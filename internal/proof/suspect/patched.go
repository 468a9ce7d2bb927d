package suspect

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// Code of the product can replace a function of a library that tests compare with: both
// import the same object. What a file binds by an import is known by name; an assignment
// to one of its attributes changes it for all who use it.
var (
	// importedBy matches an import by a call, its group the name; otherName another name for something, its groups
	// the new name and the old one.
	importedBy = lazyregexp.New(`(?m)^[ \t]*(\w+)\s*=\s*(?:importlib\.)?import_module\(`)
	otherName  = lazyregexp.New(`(?m)^\s*(?:(?:const|let|var)\s+)?([\w$]+)\s*=\s*([\w$]+)(?:\.[\w$]+)*\s*;?\s*$`)
)

// patches returns what matches a change of something that a source imports from a
// library or from tests; nil for a source without such imports. own are the modules of
// the product, whose state is its own.
func patches(lang, text string, own map[string]bool) *suspicion {
	var names []string
	switch lang {
	case "python":
		names = boundInPython(text, own)
	case "js":
		names = boundInScript(text)
	case "go":
		names = boundInGo(text, own)
	}
	pattern := patchOf(map[string]string{"python": pythonPatch, "js": scriptPatch, "go": goProductPatch}[lang], withOtherNames(names, text))
	if pattern == nil {
		return nil
	}
	return &suspicion{pattern, changesLibrary, false}
}

// patchOf matches a change of an attribute of one of the names.
func patchOf(pattern string, names []string) *lazyregexp.Regexp {
	if len(names) == 0 {
		return nil
	}
	quoted := make([]string, 0, len(names))
	for _, n := range names {
		quoted = append(quoted, regexp.QuoteMeta(n))
	}
	return lazyregexp.New(strings.ReplaceAll(pattern, "NAME", "(?:"+strings.Join(quoted, "|")+")"))
}

// What changes an attribute of NAME. In Go "&" takes an address only where no operand is before
// it: elsewhere it masks bits. A name behind another name, or behind brackets, is the type of a
// declaration ("var _ io.Reader = x").
const (
	pythonPatch    = `(?:^|[^\w.])NAME(?:\.\w+)+\s*=[^=]|^\s*NAME(?:\.\w+)+\s*[:,][^=\n]*=[^=]|^\s*[(\[][^()\[\]\n=]*\bNAME(?:\.\w+)+[^()\[\]\n=]*[)\]]\s*=[^=]|\b(?:for|as)\s+NAME(?:\.\w+)+|\b(?:setattr|delattr|vars)\(\s*NAME\b|(?:^|[^\w.])NAME(?:\.\w+)*\.__dict__\b`
	goProductPatch = `(?:^|[^\w.&\s*\])]|\b(?:if|for|switch|case)[ \t])[ \t*]*NAME\.[A-Z]\w*(?:\.\w+)*(?:\s*,[^=\n]*)?\s*=[^=]|(?:^|[(,={:\[*-]|\b(?:return|range)\b)\s*&NAME\.[A-Z]\w*(?:[^\w{(.\[]|$)`
	scriptPatch    = `(?:^|[^\w$.])NAME(?:\.[\w$]+|\[[^\]\n]+\])+\s*(?:\?\?|\|\||&&)?=[^=>]|\bfor\s*\(\s*NAME(?:\.[\w$]+)+\s+(?:of|in)\b|^\s*[;(]*[{\[][^=\n]*\bNAME(?:\.[\w$]+)+[^=\n]*[}\]]\s*=[^=>]|\b(?:Object|Reflect)\.(?:assign|define\w+|set\w*)\(\s*NAME\b`
)

// withOtherNames adds the names to which a source assigns one of the names, or an
// attribute of one, in the order of the source.
func withOtherNames(names []string, text string) []string {
	for _, m := range otherName.FindAllStringSubmatch(text, -1) {
		if slices.Contains(names, m[2]) {
			names = append(names, m[1])
		}
	}
	return names
}

// boundInPython are the names that a source of Python binds to modules and to what it
// imports from them.
func boundInPython(text string, own map[string]bool) (names []string) {
	for _, m := range importedBy.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	for _, b := range syntax.PythonBindings(text) {
		if b.Name != "*" && !own[syntax.Before(b.Module, ".")] && !strings.HasPrefix(b.Module, ".") {
			names = append(names, b.Name)
		}
	}
	return names
}

// boundInGo are the names that a source of Go gives to packages of others. The usage of a
// program's flags is its own.
func boundInGo(text string, own map[string]bool) (names []string) {
	for _, b := range syntax.GoBindings(text) {
		if b.Name != "_" && b.Name != "." && b.Module != "flag" && !ownPackage(b.Module, own) {
			names = append(names, b.Name)
		}
	}
	return names
}

func ownPackage(module string, own map[string]bool) bool {
	for ; module != ""; _, module, _ = strings.Cut(module, "/") {
		if own["/"+module] {
			return true
		}
	}
	return false
}

// boundInScript are the names that a source of JavaScript binds to packages, to modules
// of node, to tests, and to what it imports from them.
func boundInScript(text string) (names []string) {
	for _, b := range syntax.ScriptBindings(text) {
		_, test := proof.IsTest(strings.TrimLeft(b.Module, "./"))
		if b.Name != "*" && (test || !strings.HasPrefix(b.Module, ".")) {
			names = append(names, b.Name)
		}
	}
	return names
}

// productModules are the names by which the product's own modules of Python can be
// imported, and the folders of its packages of Go, with a slash before them.
func productModules(files map[string]proof.File) map[string]bool {
	product, folders := map[string]proof.File{}, map[string]bool{}
	for p, f := range files {
		lang := proof.LanguageOf(p)
		if lang != "python" && lang != "go" {
			continue
		}
		if _, test := proof.IsTest(p); test {
			continue
		}
		if product[p] = f; lang == "go" {
			folders["/"+proof.DirOf(p)] = true
		}
	}
	own := judge.Between(product, nil, nil).OwnModules()
	maps.Copy(own, folders)
	return own
}
