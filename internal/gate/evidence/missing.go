package evidence

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// maxMissing names are enough for a search; more are one cause repeated.
const maxMissing = 10

// lacks match the messages of compilers and interpreters about unknown names.
// Each matched group is a name.
var lacks = []*lazyregexp.Regexp{
	// Python
	lazyregexp.New(`No module named '?([\w.]+)'?`),
	lazyregexp.New(`cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'`),
	lazyregexp.New(`NameError: (?:global )?name '(\w+)' is not defined`),
	lazyregexp.New(`module '([\w.]+)' has no attribute '(\w+)'`),
	lazyregexp.New(`\[Errno 2\] No such file or directory: '([^']+)'`),
	lazyregexp.New(`fixture '(\w+)' not found`),
	// Go
	lazyregexp.New(`\bundefined: ([\w.]+)`),
	lazyregexp.New(`([\w.]+) undefined \(type [^)]+ has no field or method`),
	lazyregexp.New(`cannot find package "([^"]+)"`),
	lazyregexp.New(`package (\S+) is not in (?:std|GOROOT)`),
	lazyregexp.New(`no required module provides package ([^\s;:]+)`),
	lazyregexp.New(`\b(?:open|stat|lstat|exec|chdir|fork/exec) (\S+): no such file or directory`),
	// JavaScript and TypeScript
	lazyregexp.New(`Cannot find (?:module|package|name) ['"]([^'"]+)['"]`),
	lazyregexp.New(`ReferenceError: ([\w$]+) is not defined`),
	lazyregexp.New(`ENOENT: no such file or directory, \w+ '([^']+)'`),
	lazyregexp.New(`(?:Failed to resolve import|Could not resolve|Can't resolve) ['"]([^'"]+)['"]`),
	lazyregexp.New(`does not provide an export named '?([\w$]+)'?`),
	lazyregexp.New(`has no exported member (?:named )?'([\w$]+)'`),
	lazyregexp.New(`Property '([\w$]+)' does not exist on type`),
	// Rust
	lazyregexp.New("cannot find (?:\\w+ ){1,3}`([^`]+)`"),
	lazyregexp.New("unresolved import `([^`]+)`"),
	lazyregexp.New("use of (?:undeclared|unresolved) (?:\\w+ ){1,4}`([^`]+)`"),
	lazyregexp.New("no (?:method|function|field|variant)[\\w ]* `([^`]+)` (?:found|on)"),
	// Java and Kotlin
	lazyregexp.New(`^\s*symbol:\s+(?:class|variable|method|interface|static)\s+(\w+)`),
	lazyregexp.New(`error: package ([\w.]+) does not exist`),
	lazyregexp.New(`(?i)unresolved reference:? '?(\w+)'?`),
	// C and C++
	lazyregexp.New(`fatal error: ([^\s:]+): No such file or directory`),
	lazyregexp.New("undefined reference to [`']([^'`]+)'"),
	lazyregexp.New(`undeclared identifier '(\w+)'`),
	lazyregexp.New(`['‘](\w+)['’] was not declared`),
	lazyregexp.New(`implicit declaration of function ['‘](\w+)['’]`),
	// Ruby and PHP
	lazyregexp.New(`uninitialized constant ([\w:]+)`),
	lazyregexp.New("undefined (?:local variable or )?method [`'](\\w+[?!]?)'"),
	lazyregexp.New(`cannot load such file -- (\S+)`),
	lazyregexp.New(`Class ["']([\w\\]+)["'] not found`),
	lazyregexp.New(`undefined function ([\w\\]+)\(`),
	// shells and everything else that prints strerror(ENOENT)
	lazyregexp.New(`^(?:\S+: )+(?:line \d+: |\d+: )?(?:cannot (?:open|access|stat|create)[\w ]* )?['‘]?([^\s:'‘’]+)['’]?: No such file or directory`),
	lazyregexp.New(`(?:^|[\s:])([\w./+-]+): (?:command )?not found$`),
}

// lack gathers names from a stream of plain lines.
type lack struct{ found []string }

func (m *lack) add(line string) {
	if len(m.found) >= maxMissing || len(line) > 4000 {
		return
	}
	for _, p := range lacks {
		if g := p.FindStringSubmatch(line); g != nil {
			m.take(g[1:])
			return
		}
	}
}

func (m *lack) take(names []string) {
	for _, n := range names {
		n = strings.TrimRight(strings.Trim(n, "'\"`"), ".,:;")
		if n != "" && len(n) <= 200 && !slices.Contains(m.found, n) && len(m.found) < maxMissing {
			m.found = append(m.found, n)
		}
	}
}

func (m *lack) names(roots []string) []string {
	var out []string
	for _, n := range m.found {
		for _, root := range roots {
			n = strings.TrimPrefix(n, strings.TrimRight(root, `/\`)+"/")
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
