package redgreen

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

//go:embed othervalues/other.rs
var otherValuesRust string

// otherRust adds the module that knows which function is the outermost.
func otherRust(_, text string) (string, *proof.Edit) { return text + otherValuesRust, nil }

var (
	// functionRust matches the head of a function, and what may hold one that is none:
	// comments, strings and characters.
	functionRust = lazyregexp.New(`(?s)//[^\n]*|/\*.*?\*/|\br#+".*?"#+|\br"[^"]*"|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|\bfn\s+(\w+)`)
	// bodyRust matches what stands between the name of a function and its body, or ends it.
	bodyRust = lazyregexp.New(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|[{};\[\]]`)
	// doesMoreRust matches what a function of Rust may do besides giving a value.
	doesMoreRust = lazyregexp.New(`&(?:'\w+\s+)?mut\b|\b(?:e?print|e?println|write|writeln)!|\b(?:fs|env|process|net|thread|Command|File|static|RefCell|Mutex|RwLock|Atomic\w+)\b|\basync\b`)
	wordsOfRust  = lazyregexp.New(`\b(?:async|const|unsafe|extern)\s+$`)
)

// productRust is a source of Rust without its modules of unit tests, of the same length.
func productRust(text string) string {
	for _, module := range syntax.UnitModules(text) {
		text = strings.Replace(text, module, strings.Repeat(" ", len(module)), 1)
	}
	return text
}

// hollowRust finds the functions of a source outside of its modules of unit tests.
func hollowRust(text string) (found []Function) {
	text = productRust(text)
	for _, m := range functionRust.FindAllStringSubmatchIndex(text, -1) {
		if m[2] < 0 {
			continue
		}
		body := bodyOfRust(text, m[1])
		end := 0
		if body > 0 {
			end = syntax.RustBlockEnd(text, body)
		}
		if end == 0 {
			continue
		}
		f := Function{Name: text[m[2]:m[3]], Begin: m[0], Body: body, End: end, fails: ` panic!("` + hollowed + `");`, ends: " return;"}
		if gives := resultOfRust(text[m[1] : body-1]); gives != "" {
			f.idle = " return Default::default();"
			if !doesMoreRust.MatchString(text[f.Begin:f.End]) && !wordsOfRust.MatchString(text[:f.Begin]) {
				f.other = otherResultRust(gives, body, end)
			}
		}
		found = append(found, f)
	}
	return found
}

// bodyOfRust is where the body of a function begins, behind its name; 0 of one without.
func bodyOfRust(text string, from int) int {
	depth := 0
	for _, t := range bodyRust.FindAllStringIndex(text[from:], -1) {
		switch token := text[from+t[0] : from+t[1]]; {
		case token == "[":
			depth++
		case token == "]":
			depth--
		case depth > 0:
		case token == "{":
			return from + t[1]
		case token == ";" || token == "}":
			return 0
		}
	}
	return 0
}

// resultOfRust is the type that a function gives, by what is between its name and its body;
// "" of one that gives nothing.
func resultOfRust(head string) string {
	begin, depth := -1, 0
	for i := 0; i < len(head); i++ {
		switch c := head[i]; {
		case strings.HasPrefix(head[i:], "->"):
			if depth == 0 && begin < 0 {
				begin = i + 2
			}
			i++
		case strings.IndexByte("(<[", c) >= 0:
			depth++
		case strings.IndexByte(")>]", c) >= 0:
			depth--
		case depth == 0 && begin >= 0 && strings.HasPrefix(head[i:], "where") && strings.TrimSpace(head[begin:i]) != "":
			return strings.TrimSpace(head[begin:i])
		}
	}
	if begin < 0 {
		return ""
	}
	return strings.TrimSpace(head[begin:])
}

// otherResultRust lets the outermost function give another value; nil where ralph knows none
// of its type.
func otherResultRust(gives string, body, end int) []insertion {
	other := otherValueRust("ralph_value", gives)
	if other == "" {
		return nil
	}
	closure := "||"
	if !strings.HasPrefix(gives, "&") { // the lifetime of a reference is found without
		closure += " -> " + gives
	}
	return []insertion{
		{body, " let ralph_inside = ralph_other::enter(); let ralph_value: " + gives + " = (" + closure + " {"},
		{end - 1, "\n})(); if ralph_inside.outermost() { " + other + " } else { ralph_value } "},
	}
}

var (
	integersRust = []string{"i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"}
	textOfRust   = lazyregexp.New(`^&\s*(?:'\w+\s+)?str$`)
	genericRust  = lazyregexp.New(`(?s)^(?:[\w]+::)*(Option|Result|Vec)\s*<(.*)>$`)
)

const noOtherRust = `panic!("no other value is known")`

// otherValueRust is code for another value of a type; "" where there is none that is known.
func otherValueRust(value, of string) string {
	switch of = strings.TrimSpace(of); {
	case slices.Contains(integersRust, of):
		return value + ".wrapping_add(1)"
	case of == "f32", of == "f64":
		return value + " + 1.55"
	case of == "bool":
		return "!" + value
	case of == "char":
		return "if " + value + " == '~' { '!' } else { '~' }"
	case of == "String":
		return "{ let mut other = " + value + "; other.push('~'); other }"
	case textOfRust.MatchString(of):
		return "if " + value + ` == "~" { "!" } else { "~" }`
	case strings.HasPrefix(of, "(") && strings.HasSuffix(of, ")"):
		return otherTupleRust(value, partsOfRust(of[1:len(of)-1]))
	}
	m := genericRust.FindStringSubmatch(of)
	if m == nil {
		return ""
	}
	parts := partsOfRust(m[2])
	inner := otherValueRust("inner", parts[0])
	switch {
	case m[1] == "Vec":
		return "{ let mut other = " + value + "; if other.pop().is_none() { " + noOtherRust + " } other }"
	case m[1] == "Option" && inner == "":
		return "match " + value + " { Some(_) => None, None => " + noOtherRust + " }"
	case m[1] == "Option":
		return "match " + value + " { Some(inner) => Some(" + inner + "), None => " + noOtherRust + " }"
	case inner == "":
		return ""
	}
	return "match " + value + " { Ok(inner) => Ok(" + inner + "), Err(_) => " + noOtherRust + " }"
}

// otherTupleRust changes the first part of which another value is known.
func otherTupleRust(value string, parts []string) string {
	var names, values []string
	changed := false
	for i, of := range parts {
		name := fmt.Sprintf("part%d", i)
		names, values = append(names, name), append(values, name)
		if other := otherValueRust(name, of); other != "" && !changed {
			values[i], changed = other, true
		}
	}
	if !changed || len(parts) < 2 {
		return ""
	}
	return "{ let (" + strings.Join(names, ", ") + ") = " + value + "; (" + strings.Join(values, ", ") + ") }"
}

// partsOfRust are types between commas.
func partsOfRust(list string) (parts []string) {
	depth, begin := 0, 0
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case strings.HasPrefix(list[i:], "->"):
			i++
		case strings.IndexByte("(<[", c) >= 0:
			depth++
		case strings.IndexByte(")>]", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			parts, begin = append(parts, strings.TrimSpace(list[begin:i])), i+1
		}
	}
	if last := strings.TrimSpace(list[begin:]); last != "" || len(parts) == 0 {
		parts = append(parts, last)
	}
	return parts
}

var (
	// declaredRustName matches what a line of Rust declares: a type, a constant, a part of a
	// struct or a case of an enum.
	declaredRustName = lazyregexp.New(`\b(?:struct|enum|union|trait|type|const|static)\s+(?:mut\s+)?(\w+)|^\s*(?:pub(?:\([^)]*\))?\s+)?([a-z_]\w*)\s*:\s*[^:\s]|^\s*([A-Z]\w*)\s*(?:[,({]|$)`)
	shapeOfRust      = lazyregexp.New(`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:struct|enum|union|trait|type)\b|[a-z_]\w*\s*:\s*[\w<>&:\[\]; ',]+$|[A-Z]\w*\s*(?:[,({]|$))`)
	// runsRust matches what is left of a source and runs: a macro of its own, a function in a
	// constant.
	runsRust = lazyregexp.New(`\bmacro_rules!|\b(?:const|static)\b[^=]*=.*(?:\||\bfn\b)`)
)

func declaredRust(rest string, old func(string) bool) (names []string) {
	for _, line := range syntax.CodeLines("rust", strings.Split(rest, "\n")) {
		if strings.TrimSpace(line) == "" || old(line) {
			continue
		}
		if runsRust.MatchString(line) {
			names = append(names, anything)
		}
		for _, m := range declaredRustName.FindAllStringSubmatch(line, -1) {
			names = append(names, strings.Join(m[1:], ""))
		}
	}
	return names
}
