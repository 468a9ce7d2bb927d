package suspect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// A file of tests steers others also by what it declares: a name that the language has already,
// a method by which values of the product are shown or compared, code in the place of a method.

var (
	// goPredeclared matches a declaration under a name that Go has already.
	goPredeclared = lazyregexp.New(`^(?:func|var|const|type) (?:append|cap|clear|close|copy|delete|len|make|max|min|new|panic|recover|true|false|nil|iota|any|bool|byte|error|rune|string|u?int(?:8|16|32|64)?|float(?:32|64))\b`)
	// goShows matches methods that printing, comparing and encoding look for.
	goShows = lazyregexp.New(`^func \(\s*(?:\w+\s+)?\*?(\w+)[^)]*\) (?:String|GoString|Format|Error|Is|As|Unwrap|Equal|Compare|Cmp|Less|(?:Unm|M)arshal\w*)\(`)
	// rubyReplaces matches what gives a class another method, or all examples other helpers.
	rubyReplaces = lazyregexp.New(`\b(?:define_method|alias_method|remove_method|undef_method|(?:class|module)_(?:eval|exec)|const_set)\b|\bRSpec\.configuration\b|\b(?:refine|prepend)[ (]+[A-Z]`)
	// phpNamespace matches a namespace of PHP.
	phpNamespace = lazyregexp.New(`(?mi)^\s*namespace\s+\\?[\w\\]+\s*[;{]`)
	// phpFunction matches a function beside classes: in a namespace it is called in the place of
	// PHP's own, by all files of that namespace.
	phpFunction = lazyregexp.New(`(?i)^(?:\s*\}\s*)?function\s+&?\s*\w+\s*\(`)
)

// steeringByName are the lines that steer other tests by what they declare.
func steeringByName(lang, text string) (found []int) {
	var is func(code string) bool
	switch lang {
	case "go":
		own := goTypes(text)
		is = func(code string) bool {
			m := goShows.FindStringSubmatch(code)
			return goPredeclared.MatchString(code) || m != nil && !own[m[1]]
		}
	case "ruby":
		is = rubyReplaces.MatchString
	case "php":
		if !phpNamespace.MatchString(text) {
			return nil
		}
		is = phpFunction.MatchString
	default:
		return nil
	}
	for n, code := range syntax.CodeLines(lang, strings.Split(text, "\n")) {
		if is(code) {
			found = append(found, n)
		}
	}
	return found
}

// goTypes are the types that a file of Go declares for its package.
func goTypes(text string) map[string]bool {
	types := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return types
	}
	for _, d := range file.Decls {
		if d, is := d.(*ast.GenDecl); is && d.Tok == token.TYPE {
			for _, s := range d.Specs {
				types[s.(*ast.TypeSpec).Name.Name] = true
			}
		}
	}
	return types
}
