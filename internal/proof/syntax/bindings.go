package syntax

import (
	"go/parser"
	"go/token"
	"path"
	"strings"

	"ralph/internal/lazyregexp"
)

// Binding is a name that a source binds by an import.
type Binding struct {
	// Name in the source; "*" and "." for all names of the module.
	Name string
	// Module as it is written, and its attribute; "" for the module itself.
	Module, Attr string
}

// Full is the name of what is bound as it would be written without the binding.
func (b Binding) Full() string {
	module := strings.ReplaceAll(strings.TrimPrefix(b.Module, "node:"), "/", ".")
	if b.Attr == "" {
		return module
	}
	return module + "." + b.Attr
}

var (
	pythonModules = lazyregexp.New(`(?m)(?:^|[;:])[ \t]*import[ \t]+([^\n#;]+)`)
	pythonNames   = lazyregexp.New(`(?m)(?:^|[;:])[ \t]*from[ \t]*(\.*[ \t]*[A-Za-z_][\w.]*|\.+)[ \t]*import[ \t]*(\([^)]*\)|[^\n#;]+)`)
	// Identifier matches a name of Go, Python or JavaScript.
	Identifier    = lazyregexp.New(`[A-Za-z_$][\w$]*`)
	pythonComment = lazyregexp.New(`(?m)#.*$`)
)

// Bindings are the names that the imports of a source bind, for Go, Python and JavaScript.
func Bindings(lang, text string) []Binding {
	switch lang {
	case "go":
		return GoBindings(text)
	case "python":
		return PythonBindings(text)
	case "js":
		return ScriptBindings(text)
	}
	return nil
}

// GoBindings are the names that imports of Go bind.
func GoBindings(text string) (found []Binding) {
	// A source that cannot be parsed to its end may still have imports.
	file, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if file == nil {
		return nil
	}
	for _, spec := range file.Imports {
		module := strings.Trim(spec.Path.Value, "\"`")
		b := Binding{Name: path.Base(module), Module: module}
		if spec.Name != nil {
			b.Name = spec.Name.Name
		}
		found = append(found, b)
	}
	return found
}

// PythonBindings are the names that imports of Python bind.
func PythonBindings(text string) (found []Binding) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for _, m := range pythonModules.FindAllStringSubmatch(text, -1) {
		for one := range strings.SplitSeq(m[1], ",") {
			switch words := strings.Fields(one); {
			case len(words) == 3 && words[1] == "as":
				found = append(found, Binding{Name: words[2], Module: words[0]})
			case len(words) > 0:
				top := Before(words[0], ".")
				found = append(found, Binding{Name: top, Module: top})
			}
		}
	}
	for _, m := range pythonNames.FindAllStringSubmatch(text, -1) {
		names := pythonComment.ReplaceAllString(strings.Trim(m[2], "()"), "")
		for one := range strings.SplitSeq(names, ",") {
			if words := strings.Fields(one); len(words) > 0 {
				found = append(found, Binding{Name: words[len(words)-1], Module: m[1], Attr: words[0]})
			}
		}
	}
	return found
}
