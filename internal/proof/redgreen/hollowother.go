package redgreen

import (
	_ "embed"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A test that asks whether a value is there, has a type or passes its own helper fails where
// functions return nothing, and passes where they give any other value of the same type. What
// makes a value another one is written in the language of the source. The outermost of the
// functions does it, so that those that the work wrote get from each other what they give. A
// failure of it is a value, too. It fails where it knows no other value: then nothing is said.

//go:embed othervalues/other.py
var otherValuesPython string

//go:embed othervalues/other.js
var otherValuesScript string

//go:embed othervalues/other.go.txt
var otherValuesGo string

// otherPython is a line above a function: a call, since old versions of Python have no other
// expression there.
var otherPython = sync.OnceValue(func() string {
	return "@eval(" + strconv.QuoteToASCII("[exec(code, own) or own['other'] for own in [{}] for code in ["+strconv.QuoteToASCII(otherValuesPython)+"]][0]") + ")"
})

// otherGo is a file of the package of a source.
func otherGo(file, text string) (string, *proof.Edit) {
	name := syntax.GoPackage.FindStringSubmatch(text)[1]
	return text, &proof.Edit{Path: path.Join(path.Dir(file), "ralph_other.go"), Mode: "100644", Data: []byte(strings.Replace(otherValuesGo, "PACKAGE", name, 1))}
}

// otherResults gives the results of a function names and hands them over; nil where one is not
// to be named.
func otherResults(f *ast.FuncDecl, at func(token.Pos) int) (into []insertion) {
	results := f.Type.Results
	var names []string
	for _, r := range results.List {
		if len(r.Names) == 0 {
			name := "ralphResult" + strconv.Itoa(len(names))
			names, into = append(names, name), append(into, insertion{at(r.Type.Pos()), name + " "})
		}
		for _, n := range r.Names {
			if n.Name == "_" {
				return nil
			}
			names = append(names, n.Name)
		}
	}
	if !results.Opening.IsValid() {
		into = []insertion{{into[0].at, "(" + into[0].text}, {at(results.End()), ")"}}
	}
	return append(into, insertion{at(f.Body.Lbrace) + 1, " defer ralphOther(&" + strings.Join(names, ", &") + ")();"})
}

var (
	shapeOfPython = lazyregexp.New(`^\w+\s*:\s*[^=]+$`)
	shapeOfGo     = lazyregexp.New(`^type\b`)
	shapeOfScript = lazyregexp.New(`^(?:export\s+)?(?:default\s+)?(?:class|interface|type)\b|^\s+(?:(?:readonly|public|private)\s+)*[\w$]+[?!]?:\s*[\w$<>\[\]|, ]+;?$`)
)

// shebang matches the line that must stay the first.
var shebang = lazyregexp.New(`^#![^\n]*\n`)

// otherScript is a constant at the beginning of a source, whose types nothing may look at.
func otherScript(file, text string) (string, *proof.Edit) {
	first := ""
	if m := shebang.FindStringSubmatch(text); m != nil {
		first = m[0]
	}
	unchecked := ""
	if strings.Contains(path.Ext(file), "ts") {
		unchecked = "// @ts-nocheck\n"
	}
	return first + unchecked + otherValuesScript + strings.TrimPrefix(text, first), nil
}

var (
	// generator matches what is before the name or parameters of a function of JavaScript that
	// gives its values one by one, asynchronous before those of one that waits; asyncArrow
	// begins such a one.
	generator    = lazyregexp.New(`\*\s*$`)
	asynchronous = lazyregexp.New(`\basync\s*(?:function\s*)?$`)
	asyncArrow   = lazyregexp.New(`^async\b`)
)

// otherScript gives the body of a function to another one, which knows its value; nil for a
// generator.
func (f Function) otherScript(text string, block bool) []insertion {
	head := text[max(0, f.Begin-40):f.Begin]
	if generator.MatchString(head) {
		return nil
	}
	run := "() => "
	if asynchronous.MatchString(head) || asyncArrow.MatchString(text[f.Begin:]) {
		run = "async () => "
	}
	if block {
		return []insertion{{f.Body, " return ralphOther(" + run + "{"}, {f.End - 1, "\n})\n"}}
	}
	return []insertion{{f.Body, "ralphOther(" + run}, {f.End, "\n)"}}
}

const changingCall = `(?i:append\w*|push\w*|add\w*|set\w*|put|insert\w*|update\w*|delete\w*|remove\w*|discard|pop\w*|shift|unshift|splice|sort|reverse|fill|extend|clear|write\w*|print\w*|send\w*|post\w*|publish\w*|save\w*|store\w*|emit\w*|notify\w*|register\w*|exec\w*|execute\w*|commit|close|create\w*|log|info|debug|warn\w*|error|lock|unlock|do|run|call\w*|next|scan|read\w*|fetch\w*|open\w*)`

var (
	// changesPart matches a change of a part of a value, changesBy a call that may change one,
	// or the world; their group is the name of the value. changesAll matches code that
	// changes more.
	changesPart = lazyregexp.New(`(?m)([A-Za-z_$][\w$]*)(?:\??\.[\w$]+|\[[^\]\n]*\])+\s*(?:(?:[-+*/|&^%]|<<|>>>?|//|\*\*|\|\||&&|\?\?)?=[^=>]|\+\+|--)`)
	changesBy   = lazyregexp.New(`([A-Za-z_$][\w$]*)(?:\??\.[\w$]+|\[[^\]\n]*\])*\??\.` + changingCall + `\(`)
	changesAll  = lazyregexp.New(`(?m)\b(?:global|nonlocal)\s+\w|\bprint(?:ln)?\(|\bopen\(|\bfetch\(|\bdelete\s|\bgo\s+(?:func\b|[\w.]+\()|<-|^\s*\*\w+\s*=|\bprocess\.|\bos\.|\bsys\.`)
)

// tells matches a call that writes for people, and watchesOutput are the names by which tests look
// at what is written; without one of them it is no more than the value.
var (
	tells         = lazyregexp.New(`\b(?:print|println|console\.\w+|(?:_?log|logger|logging|LOG|LOGGER|slog)\.\w+|fmt\.Print\w*|sys\.std(?:out|err)\.write|process\.std(?:out|err)\.write)\(`)
	watchesOutput = strings.Fields("capsys capfd capsysbinary capfdbinary caplog stdout stderr Stdout Stderr redirect_stdout redirect_stderr assertLogs assertNoLogs StringIO console print logging log slog Output subprocess spawn spawnSync exec execFile execFileSync execSync run_module mock Mock MagicMock patch spyOn fn CliRunner Command Pipe")
)

// doesMore reports whether a function of a source may do more than give a value, or gives one
// that ralph cannot make another one. What begins a value of a class does not.
func (f Function) doesMore(source string, tests map[string]bool) bool {
	if f.begins() {
		return false
	}
	text := source[f.Begin:f.End]
	if !slices.ContainsFunc(watchesOutput, func(name string) bool { return tests[name] }) {
		text = tells.ReplaceAllString(text, "(")
	}
	if f.other == nil || changesAll.MatchString(text) {
		return true
	}
	for _, pattern := range []*lazyregexp.Regexp{changesPart, changesBy} {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			if !madeHere(m[1], text) {
				return true
			}
		}
	}
	return false
}

// madeHere reports whether a function makes a value of its own under a name.
func madeHere(name, text string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\s*(?::[^=\n]*)?:?=[^=]|\b(?:for|var|let|const)\s*\(?(?:\w+\s+)?(?:\w+,\s*)?` + regexp.QuoteMeta(name) + `\b|\bas ` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
}
