package suspect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

var (
	// equality matches a comparison that a class of Python defines: its line, the name of
	// the other object, and the first lines of its body.
	equality = lazyregexp.New(`(?m)^([ \t]+)def __(?:eq|ne)__\(self,\s*(\w+)[^\n]*\n((?:[ \t]+[^\n]*\n?|\n){1,8})`)
	// sameOrder matches an order or a difference that is the same for all values.
	sameOrder = lazyregexp.New(`(?m)^[ \t]+def __(?:(?:lt|le|gt|ge)__\(self,[^\n]*\n(?:[ \t]*#[^\n]*\n)*[ \t]+return (?:True|1)|r?sub__\(self,[^\n]*\n(?:[ \t]*#[^\n]*\n)*[ \t]+return 0(?:\.0)?)[ \t]*$`)
	// comparedWithNil matches a use of a value of Go that tells nothing of it.
	comparedWithNil = lazyregexp.New(`\b\w+\s*[!=]=\s*nil\b|\bnil\s*[!=]=\s*\w+\b`)
)

// What values and errors are that fit what tests ask, besides those that equal everything.
const (
	fitsErrors = "is an error of several types at once, so it satisfies tests for any of them"
	fitsValues = "defines how it is compared, so it can equal a value that it is not"
)

var (
	// classOf matches the head of a class of Python, builtinError an error of Python's own.
	classOf      = lazyregexp.New(`(?m)^[ \t]*class \w+\(([^)\n]*)\):`)
	builtinError = lazyregexp.New(`\b(?:Exception|(?:Value|Key|Type|Index|Attribute|Runtime|Lookup|Arithmetic|ZeroDivision|Overflow|OS|IO|Assertion|Timeout|Permission|Connection|Name|Syntax|Unicode|NotImplemented|Import|FileNotFound|FileExists)Error|StopIteration)\b`)
	// comparedAs matches a method of JavaScript by which == compares, givesProperty one that tells
	// what the object holds, comparedText a text or number that answers by itself what it has in it.
	comparedAs    = lazyregexp.New(`(?m)^[ \t]*valueOf\s*\([^)\n]*\)\s*(?::[^{\n]*)?\{([^}]*)\}`)
	comparedText  = lazyregexp.New(`(?m)^[ \t]*(?:export\s+)?(?:default\s+)?(?:class\s+\w+|(?:const|let|var)\s+\w+\s*=\s*class\b[ \w]*)\s+extends\s+(?:String|Number)\b[^{\n]*\{(?:\n[ \t]+[^\n]*|\n)*?\n[ \t]+(?:includes|startsWith|endsWith|indexOf|search|match|localeCompare|get length)\s*\([^)\n]*\)[^{\n]*\{`)
	givesProperty = lazyregexp.New(`^\s*return\s+this\.#?\w+\s*;?\s*$`)
	// containsAs matches such a method of Python, and what it does.
	containsAs = lazyregexp.New(`(?m)^([ \t]+)def __contains__\(self,[^\n]*\n((?:[ \t]+[^\n]*\n?|\n){1,8})`)
)

// lenientIn are the new comparisons of a file of Go, Python or JavaScript that may find anything
// equal, and errors that fit several tests.
func lenientIn(file, text string, old map[string]bool) (out []Finding) {
	switch proof.LanguageOf(file) {
	case "go":
		return append(lenientGo(file, text, old), joinedIn(file, text, old)...)
	case "python":
		return append(lenientPython(file, text, old), errorsOfAllKinds(file, text, old)...)
	case "js":
		return lenientScript(file, text, old)
	}
	return nil
}

// errorsOfAllKinds are new classes that are three errors of Python's own at once.
func errorsOfAllKinds(file, text string, old map[string]bool) (out []Finding) {
	for _, at := range classOf.FindAllStringSubmatchIndex(text, -1) {
		kinds := builtinError.FindAllString(text[at[2]:at[3]], -1)
		if len(kinds) > 2 && !old[strings.TrimSpace(text[at[0]:at[1]])] {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[0]), What: fitsErrors})
		}
	}
	return out
}

// lenientScript are objects that are compared as a value which is made for that.
func lenientScript(file, text string, old map[string]bool) (out []Finding) {
	for _, at := range comparedAs.FindAllStringSubmatchIndex(text, -1) {
		if !givesProperty.MatchString(text[at[2]:at[3]]) && !oldBody(text[at[0]:at[1]], old) {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[0]), What: fitsValues})
		}
	}
	for _, at := range comparedText.FindAllStringIndex(text, -1) {
		if !oldBody(text[at[0]:at[1]], old) {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[0]), What: fitsValues})
		}
	}
	return out
}

// joinedErrors matches an error of Go that is several sentinels at once.
var joinedErrors = lazyregexp.New(`\berrors\.Join\(\s*(?:\w+\.)?Err[A-Z]\w*\s*,\s*(?:\w+\.)?Err[A-Z]\w*`)

func joinedIn(file, text string, old map[string]bool) (out []Finding) {
	for _, at := range joinedErrors.FindAllStringIndex(text, -1) {
		line := text[strings.LastIndexByte(text[:at[0]], '\n')+1:]
		if !old[strings.TrimSpace(syntax.Before(line, "\n"))] {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[0]), What: fitsErrors})
		}
	}
	return out
}

// lenientPython are comparisons that look at no attribute of the other object, or belong to a
// text, a number or a collection, whose own comparison they replace, and orders and
// differences of such values that are always the same.
func lenientPython(file, text string, old map[string]bool) (out []Finding) {
	values := valueClassesOf(text)
	for _, at := range sameOrder.FindAllStringIndex(text, -1) {
		if values.at(text, at[0]) && !oldBody(text[at[0]:at[1]], old) {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[0]), What: equalsAll})
		}
	}
	for _, at := range containsAs.FindAllStringSubmatchIndex(text, -1) {
		if body := text[at[4]:at[5]]; values.at(text, at[0]) && !strings.Contains(body, "super()") && !oldBody(text[at[0]:at[1]], old) {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[0]), What: equalsAll})
		}
	}
	for _, at := range equality.FindAllStringSubmatchIndex(text, -1) {
		part := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		line, _, _ := strings.Cut(text[at[0]:], "\n")
		if new := !old[strings.TrimSpace(line)] || !oldBody(part(3), old); new && (values.at(text, at[0]) || !looksAt(part(3), part(2))) {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[0]), What: equalsAll})
		}
	}
	return out
}

// looksAt reports whether a comparison looks at an attribute of the other object, or at what
// the other object is as a text, as it does with its own.
func looksAt(body, other string) bool {
	return strings.Contains(body, other+".") || strings.Contains(body, "return str(self) == str("+other+")")
}

// oldBody reports whether every line was there before.
func oldBody(body string, old map[string]bool) bool {
	for line := range strings.Lines(body) {
		if code := strings.TrimSpace(line); code != "" && !old[code] {
			return false
		}
	}
	return true
}

// lenientGo are methods by which errors.Is, errors.As and libraries of tests compare, that
// look at nothing of the other value and do not only return false.
func lenientGo(file, text string, old map[string]bool) (out []Finding) {
	if !comparesGo.MatchString(text) {
		return nil
	}
	files := token.NewFileSet()
	parsed, _ := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if parsed == nil {
		return nil
	}
	in := files.File(parsed.FileStart) // its offsets stay within the text; what is cut off may end behind it
	for _, d := range parsed.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || !comparesBool(f) {
			continue
		}
		begin, body, end := in.Offset(f.Pos()), in.Offset(f.Body.Pos()), in.Offset(f.End())
		if !uses(text[body:end], f.Type.Params.List[0].Names) && !oldBody(text[begin:end], old) && returnsMore(f.Body) {
			out = append(out, Finding{Path: file, Line: in.PositionFor(f.Pos(), false).Line, What: equalsAll})
		}
	}
	return out
}

// comparesGo matches the beginning of a method that compares.
var comparesGo = lazyregexp.New(`(?m)^func \([^)\n]*\) (?:Is|As|Equals?)\(`)

// comparesBool reports whether a function is a method that takes one value and returns a bool.
func comparesBool(f *ast.FuncDecl) bool {
	if f.Recv == nil || f.Body == nil || !slices.Contains([]string{"Is", "As", "Equal", "Equals"}, f.Name.Name) {
		return false
	}
	in, out := f.Type.Params, f.Type.Results
	if in.NumFields() != 1 || out.NumFields() != 1 {
		return false
	}
	_, many := in.List[0].Type.(*ast.Ellipsis)
	result, named := out.List[0].Type.(*ast.Ident)
	return !many && named && result.Name == "bool"
}

// uses reports whether a body looks at more of a parameter than whether it is nil.
func uses(body string, names []*ast.Ident) bool {
	body = comparedWithNil.ReplaceAllString(body, "")
	return slices.ContainsFunc(names, func(n *ast.Ident) bool {
		return n.Name != "_" && lazyregexp.New(`\b`+n.Name+`\b`).MatchString(body)
	})
}

// returnsMore reports whether a body returns something else than false.
func returnsMore(body *ast.BlockStmt) (more bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if r, is := n.(*ast.ReturnStmt); is && len(r.Results) == 1 {
			value, named := r.Results[0].(*ast.Ident)
			more = more || !named || value.Name != "false"
		}
		return true
	})
	return more
}
