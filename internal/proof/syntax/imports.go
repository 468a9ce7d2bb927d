package syntax

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// Import is a module that a source of JavaScript or TypeScript loads by a name that is written
// there: by import, export … from, import() or require(), or by what jest and vitest have for these.
type Import struct {
	// Module as it is written, and what it is bound to, "a, { b as c }" or "* as d", without
	// comments; Names is empty where the import binds nothing.
	Module, Names string
	// Call: by the call of a function. Required: by require or one like it, which finds a module
	// by other rules than import.
	Call, Required bool
	// Begin and End enclose the import with its names and the word that declares them, Value
	// and End the expression that gives the module; both begin together in a statement.
	Begin, Value, End int
}

const (
	scriptComment = `/\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*\n`
	// gap is what may stand between two words of an import, braced the names that it takes.
	gap    = `(?:\s|` + scriptComment + `)*`
	braced = `\{(?:` + scriptComment + `|[^{}])*\}`
	// loader matches a function that loads a module.
	loader = `\b(?:(?:import|require)(?:Actual|Mock|Original|Fresh|Uncached)?|require\.resolve|getBuiltinModule)`
	quoted = "['\"`]([^'\"`\\n]+)['\"`]"
	// LoadsScript matches an import up to the quote before its module.
	LoadsScript = `(?:\b(?:from|import|require)` + gap + `|` + loader + gap + `\(` + gap + ")['\"`]"
	// statement matches an import with names; its groups are all but what is before it, the names
	// and the module.
	statement = `(?:^|[;}])` + gap + `((?:import|export)\b` + gap +
		`(?:(?:type|typeof|defer|source)\s+)?((?:[\w$]+|\*|` + braced + `)(?:` + gap + `as` + gap + `[\w$]+)?(?:` + gap + `,` + gap + `(?:\*` + gap + `as` + gap + `[\w$]+|` + braced + `))?)` +
		gap + `\bfrom` + gap + quoted + `)`
	// call matches one by a function; its groups are the names and the function's call, and in
	// it, in one of two forms, the module.
	call = `(?:(?:\b(?:const|let|var|import)\s+)?(` + braced + `|[\w$]+)` + gap + `=` + gap + `(?:await\s+)?)?` +
		`(\(` + gap + `await\s+import` + gap + `\(` + gap + quoted + gap + `\)` + gap + `\)|(?:[\w$]+\.)*` + loader + gap + `\(` + gap + quoted + gap + `\)?)`
)

var (
	scriptImport = lazyregexp.New(`(?m)` + statement + `|` + call + `|\b(?:from|import|require)` + gap + quoted)
	comment      = lazyregexp.New(scriptComment)
	// LoadsComputed matches an import of a module whose name is not written there.
	LoadsComputed = lazyregexp.New(`\b(?:import|require)` + gap + `\(` + gap + "(?:[^'\"`\\s)/]|`[^`\\n]*\\$\\{)")
)

// ScriptImports are the imports of a source of JavaScript or TypeScript, in their order. Those in
// comments are among them: see WithoutComments.
func ScriptImports(text string) (found []Import) {
	if !slices.ContainsFunc([]string{"import", "require", "from", "getBuiltinModule"}, func(word string) bool { return strings.Contains(text, word) }) {
		return nil // most of the time: the pattern is slow
	}
	for _, m := range scriptImport.FindAllStringSubmatchIndex(text, -1) {
		group := func(n int) string { return text[max(m[2*n], 0):max(m[2*n+1], 0)] }
		i := Import{Module: group(3) + group(6) + group(7) + group(8), Names: group(2) + group(4), Begin: m[0], Value: m[0], End: m[1]}
		switch {
		case m[2] >= 0:
			i.Begin, i.Value = m[2], m[2]
		case m[10] >= 0:
			i.Value, i.Call = m[10], true
			i.Required = !strings.Contains(text[m[10]:max(m[12], m[14])], "import")
		default:
			i.Required = strings.HasPrefix(text[m[0]:], "require")
		}
		i.Names = strings.TrimSpace(comment.ReplaceAllString(i.Names, ""))
		found = append(found, i)
	}
	return found
}

// Relative reports whether an import finds its module by a path from the source.
func (i Import) Relative() bool { return strings.HasPrefix(i.Module, ".") }

// RelativeImports are the modules that a source of JavaScript imports by a path.
func RelativeImports(text string) (modules []string) {
	for _, i := range ScriptImports(text) {
		if i.Relative() {
			modules = append(modules, i.Module)
		}
	}
	return modules
}

// ImportsScript reports whether a source of JavaScript imports one of some modules.
func ImportsScript(text string, modules ...string) bool {
	return slices.ContainsFunc(ScriptImports(text), func(i Import) bool { return slices.Contains(modules, i.Module) })
}

// WithoutImports is a source of JavaScript without those of its imports for which a condition
// holds; nil holds for all.
func WithoutImports(text string, holds func(Import) bool) string {
	var out strings.Builder
	last := 0
	for _, i := range ScriptImports(text) {
		if holds != nil && !holds(i) {
			continue
		}
		out.WriteString(text[last:i.Begin])
		last = i.End
	}
	return out.String() + text[last:]
}

// ScriptBindings are the names that imports of JavaScript and TypeScript bind.
func ScriptBindings(text string) (found []Binding) {
	for _, i := range ScriptImports(text) {
		found = append(found, i.Bindings()...)
	}
	return found
}

// Bindings are the names that an import binds.
func (i Import) Bindings() (found []Binding) {
	whole, parts, _ := strings.Cut(i.Names, "{")
	for name := range strings.SplitSeq(whole, ",") {
		if words := Identifier.FindAllString(name, -1); len(words) > 0 {
			found = append(found, Binding{Name: words[len(words)-1], Module: i.Module})
		} else if strings.Contains(name, "*") {
			found = append(found, Binding{Name: "*", Module: i.Module, Attr: "*"})
		}
	}
	return append(found, Destructured("{"+parts, i.Module)...)
}

// Destructured are the names that a pattern "{a, b: c, d as e}" of JavaScript binds to the
// attributes of a module.
func Destructured(pattern, module string) (found []Binding) {
	for part := range strings.SplitSeq(strings.Trim(pattern, "{} \t\n"), ",") {
		// The last word is the name; a default follows "=".
		words := Identifier.FindAllString(Before(part, "="), -1)
		if len(words) == 0 {
			continue
		}
		b := Binding{Name: words[len(words)-1], Module: module, Attr: words[0]}
		if b.Attr == "default" {
			b.Attr = ""
		}
		found = append(found, b)
	}
	return found
}
