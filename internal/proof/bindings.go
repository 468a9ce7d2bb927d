package proof

import (
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// binding is a name that a source binds by an import.
type binding struct {
	// name in the source; "*" and "." for all names of the module.
	name string
	// module as it is written, and its attribute; "" for the module itself.
	module, attr string
}

// full is the name of what is bound as it would be written without the binding.
func (b binding) full() string {
	module := strings.ReplaceAll(strings.TrimPrefix(b.module, "node:"), "/", ".")
	if b.attr == "" {
		return module
	}
	return module + "." + b.attr
}

var (
	pythonModules = lazyregexp.New(`(?m)(?:^|[;:])[ \t]*import[ \t]+([^\n#;]+)`)
	pythonNames   = lazyregexp.New(`(?m)(?:^|[;:])[ \t]*from[ \t]*(\.*[ \t]*[A-Za-z_][\w.]*|\.+)[ \t]*import[ \t]*(\([^)]*\)|[^\n#;]+)`)
	scriptRequire = lazyregexp.New(`(\{[^}]*\}|[\w$]+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"]([^'"\n]+)['"]`)
	scriptImport  = lazyregexp.New(`(?m)(?:^|[;}])\s*(?:import|export)\b\s*([^'";]+?)\s*\bfrom\s*['"]([^'"\n]+)['"]`)
	identifier    = lazyregexp.New(`[A-Za-z_$][\w$]*`)
	pythonComment = lazyregexp.New(`(?m)#.*$`)
)

// bindings are the names that the imports of a source bind, for Go, Python and JavaScript.
func bindings(lang, text string) []binding {
	switch lang {
	case "go":
		return goBindings(text)
	case "python":
		return pythonBindings(text)
	case "js":
		return scriptBindings(text)
	}
	return nil
}

func goBindings(text string) (found []binding) {
	// A source that cannot be parsed to its end may still have imports.
	file, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if file == nil {
		return nil
	}
	for _, spec := range file.Imports {
		module := strings.Trim(spec.Path.Value, "\"`")
		b := binding{name: path.Base(module), module: module}
		if spec.Name != nil {
			b.name = spec.Name.Name
		}
		found = append(found, b)
	}
	return found
}

func pythonBindings(text string) (found []binding) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for _, m := range pythonModules.FindAllStringSubmatch(text, -1) {
		for one := range strings.SplitSeq(m[1], ",") {
			switch words := strings.Fields(one); {
			case len(words) == 3 && words[1] == "as":
				found = append(found, binding{name: words[2], module: words[0]})
			case len(words) > 0:
				top := before(words[0], ".")
				found = append(found, binding{name: top, module: top})
			}
		}
	}
	for _, m := range pythonNames.FindAllStringSubmatch(text, -1) {
		names := pythonComment.ReplaceAllString(strings.Trim(m[2], "()"), "")
		for one := range strings.SplitSeq(names, ",") {
			if words := strings.Fields(one); len(words) > 0 {
				found = append(found, binding{name: words[len(words)-1], module: m[1], attr: words[0]})
			}
		}
	}
	return found
}

func scriptBindings(text string) (found []binding) {
	for _, m := range slices.Concat(scriptRequire.FindAllStringSubmatch(text, -1), scriptImport.FindAllStringSubmatch(text, -1)) {
		whole, parts, _ := strings.Cut(m[1], "{")
		for name := range strings.SplitSeq(whole, ",") {
			if words := identifier.FindAllString(name, -1); len(words) > 0 {
				found = append(found, binding{name: words[len(words)-1], module: m[2]})
			} else if strings.Contains(name, "*") {
				found = append(found, binding{name: "*", module: m[2], attr: "*"})
			}
		}
		found = append(found, destructured("{"+parts, m[2])...)
	}
	return found
}

// relativeImport matches a module that JavaScript loads by its path.
var relativeImport = lazyregexp.New(`\b(?:require|import)\s*\(\s*['"](\.[^'"\n]*)['"]|\b(?:from|import)\s*['"](\.[^'"\n]*)['"]`)

func relativeImports(text string) (modules []string) {
	for _, m := range relativeImport.FindAllStringSubmatch(text, -1) {
		modules = append(modules, m[1]+m[2])
	}
	return modules
}

// destructured are the names that a pattern "{a, b: c, d as e}" of JavaScript binds to the
// attributes of a module.
func destructured(pattern, module string) (found []binding) {
	for part := range strings.SplitSeq(strings.Trim(pattern, "{} \t\n"), ",") {
		// The last word is the name; a default follows "=".
		words := identifier.FindAllString(before(part, "="), -1)
		if len(words) == 0 {
			continue
		}
		b := binding{name: words[len(words)-1], module: module, attr: words[0]}
		if b.attr == "default" {
			b.attr = ""
		}
		found = append(found, b)
	}
	return found
}
