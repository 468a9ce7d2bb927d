package suspect

import (
	"maps"
	"path"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// resolved is a source in which what its imports bind has its full name: after
// "import os as o" the name o becomes os, and after "from os import _exit as q" the name q
// becomes os._exit. A name to which a module is assigned once more becomes that module.
// The lines stay where they are. Other languages than Go, Python and JavaScript stay as
// they are.
func resolved(lang, text string) string {
	if lang != "go" && lang != "python" && lang != "js" {
		return text
	}
	names, modules := map[string]string{}, maps.Clone(globals[lang])
	for _, b := range syntax.Bindings(lang, text) {
		if strings.HasPrefix(b.Module, ".") || b.Name == "*" {
			continue
		}
		names[b.Name] = b.Full()
		if lang == "go" {
			names[b.Name] = path.Base(b.Module)
		} else if b.Attr == "" {
			modules[b.Full()] = true
		}
	}
	text = withNames(lang, plainAccess(lang, text), names)
	if lang == "go" {
		return text
	}
	text = withModules(lang, text, modules)
	return withNames(lang, text, reassigned(text, modules))
}

// globals are the modules that a language knows without an import.
var globals = map[string]map[string]bool{
	"python": {},
	"js":     {"process": true, "globalThis": true, "global": true, "globalThis.process": true, "global.process": true, "Error": true, "Object": true, "Reflect": true},
}

var (
	// importCall matches an import of Python that is an expression.
	importCall = lazyregexp.New(`(?:\b[\w.]+\.)?\bimport_module\([ \t]*["']([\w.]+)["'][ \t]*\)`)
	// assigned matches the assignment of a dotted name to a name or to a pattern of them.
	assigned = lazyregexp.New(`(\{[^{}\n]*\}|\b[\w$]+)[ \t]*(?::[ \t]*\w+[ \t]*)?:?=[ \t]*([A-Za-z_$][\w$.]*)[ \t]*(?:[;,)\n]|$)`)
	// spacedDot and quotedName match an attribute that is written in an unusual way.
	spacedDot  = lazyregexp.New(`([\w$)\]])[ \t]*\??\.[ \t]*([A-Za-z_$])`)
	quotedName = lazyregexp.New("(?:\\?\\.)?\\[[ \t]*['\"`]([A-Za-z_$][\\w$]*)['\"`][ \t]*\\]")
)

// withModules writes the modules in place of the expressions that import them, and adds these to
// those that are known.
func withModules(lang, text string, known map[string]bool) string {
	plain := func(call, module string) string {
		module = syntax.Binding{Module: module}.Full()
		if strings.HasPrefix(module, ".") {
			return call
		}
		known[module] = true
		return module
	}
	if lang == "python" {
		return importCall.ReplaceAllStringFunc(text, func(call string) string {
			return plain(call, importCall.FindStringSubmatch(call)[1])
		})
	}
	var out strings.Builder
	last := 0
	for _, i := range syntax.ScriptImports(text) {
		call := text[i.Value:i.End]
		if gives := i.Required && !strings.Contains(call, ".resolve") || strings.HasPrefix(call, "("); gives && strings.HasSuffix(call, ")") {
			out.WriteString(text[last:i.Value] + plain(call, i.Module) + strings.Repeat("\n", strings.Count(call, "\n")))
			last = i.End
		}
	}
	return out.String() + text[last:]
}

// plainAccess writes the attributes of things in the usual way.
func plainAccess(lang, text string) string {
	if lang == "js" {
		text = quotedName.ReplaceAllString(text, ".$1")
		text = strings.ReplaceAll(text, "?.[", "[")
	}
	return spacedDot.ReplaceAllString(text, "$1.$2")
}

// reassigned are the names to which a source assigns a module, and those that it takes
// out of one by a pattern.
func reassigned(text string, modules map[string]bool) map[string]string {
	names := map[string]string{}
	for _, m := range assigned.FindAllStringSubmatch(text, -1) {
		module := m[2]
		if full := names[module]; full != "" {
			module = full
		}
		switch {
		case !modules[module]:
		case strings.HasPrefix(m[1], "{"):
			for _, b := range syntax.Destructured(m[1], module) {
				names[b.Name] = b.Full()
			}
		default:
			names[m[1]] = module
		}
	}
	return names
}

// declares reports whether the name behind a text of JavaScript is declared there.
func declares(before string) bool {
	return strings.HasSuffix(before, "const ") || strings.HasSuffix(before, "let ") || strings.HasSuffix(before, "var ")
}

// withNames writes the full names of what names are bound to. A name after a dot is
// another one, and one that is declared stays; in Go only a name before a dot is that of a
// package.
func withNames(lang, text string, names map[string]string) string {
	maps.DeleteFunc(names, func(name, full string) bool { return name == full })
	if len(names) == 0 {
		return text
	}
	var out strings.Builder
	last := 0
	for _, at := range syntax.Identifier.FindAllStringIndex(text, -1) {
		full := names[text[at[0]:at[1]]]
		attribute := strings.HasSuffix(text[:at[0]], ".") && !strings.HasSuffix(text[:at[0]], "...")
		if full == "" || attribute || declares(text[:at[0]]) || lang == "go" && !strings.HasPrefix(text[at[1]:], ".") {
			continue
		}
		out.WriteString(text[last:at[0]])
		out.WriteString(full)
		last = at[1]
	}
	out.WriteString(text[last:])
	return out.String()
}
