package evidence

import (
	"regexp"
	"slices"
	"strings"
)

// maxMissing names are enough to look things up; more are one cause repeated.
const maxMissing = 10

// lacks are the ways in which compilers and interpreters say that they do not
// know something. Each group that matched is a name.
var lacks = []*regexp.Regexp{
	// Python
	regexp.MustCompile(`No module named '?([\w.]+)'?`),
	regexp.MustCompile(`cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'`),
	regexp.MustCompile(`NameError: (?:global )?name '(\w+)' is not defined`),
	regexp.MustCompile(`module '([\w.]+)' has no attribute '(\w+)'`),
	regexp.MustCompile(`\[Errno 2\] No such file or directory: '([^']+)'`),
	regexp.MustCompile(`fixture '(\w+)' not found`),
	// Go
	regexp.MustCompile(`\bundefined: ([\w.]+)`),
	regexp.MustCompile(`([\w.]+) undefined \(type [^)]+ has no field or method`),
	regexp.MustCompile(`cannot find package "([^"]+)"`),
	regexp.MustCompile(`package (\S+) is not in (?:std|GOROOT)`),
	regexp.MustCompile(`no required module provides package ([^\s;:]+)`),
	regexp.MustCompile(`\b(?:open|stat|lstat|exec|chdir|fork/exec) (\S+): no such file or directory`),
	// JavaScript and TypeScript
	regexp.MustCompile(`Cannot find (?:module|package|name) ['"]([^'"]+)['"]`),
	regexp.MustCompile(`ReferenceError: ([\w$]+) is not defined`),
	regexp.MustCompile(`ENOENT: no such file or directory, \w+ '([^']+)'`),
	regexp.MustCompile(`(?:Failed to resolve import|Could not resolve|Can't resolve) ['"]([^'"]+)['"]`),
	regexp.MustCompile(`does not provide an export named '?([\w$]+)'?`),
	regexp.MustCompile(`has no exported member (?:named )?'([\w$]+)'`),
	regexp.MustCompile(`Property '([\w$]+)' does not exist on type`),
	// Rust
	regexp.MustCompile("cannot find (?:\\w+ ){1,3}`([^`]+)`"),
	regexp.MustCompile("unresolved import `([^`]+)`"),
	regexp.MustCompile("use of (?:undeclared|unresolved) (?:\\w+ ){1,4}`([^`]+)`"),
	regexp.MustCompile("no (?:method|function|field|variant)[\\w ]* `([^`]+)` (?:found|on)"),
	// Java and Kotlin
	regexp.MustCompile(`^\s*symbol:\s+(?:class|variable|method|interface|static)\s+(\w+)`),
	regexp.MustCompile(`error: package ([\w.]+) does not exist`),
	regexp.MustCompile(`(?i)unresolved reference:? '?(\w+)'?`),
	// C and C++
	regexp.MustCompile(`fatal error: ([^\s:]+): No such file or directory`),
	regexp.MustCompile("undefined reference to [`']([^'`]+)'"),
	regexp.MustCompile(`undeclared identifier '(\w+)'`),
	regexp.MustCompile(`['‘](\w+)['’] was not declared`),
	regexp.MustCompile(`implicit declaration of function ['‘](\w+)['’]`),
	// Ruby and PHP
	regexp.MustCompile(`uninitialized constant ([\w:]+)`),
	regexp.MustCompile("undefined (?:local variable or )?method [`'](\\w+[?!]?)'"),
	regexp.MustCompile(`cannot load such file -- (\S+)`),
	regexp.MustCompile(`Class ["']([\w\\]+)["'] not found`),
	regexp.MustCompile(`undefined function ([\w\\]+)\(`),
	// shells and everything else that prints strerror(ENOENT)
	regexp.MustCompile(`^(?:\S+: )+(?:line \d+: |\d+: )?(?:cannot (?:open|access|stat|create)[\w ]* )?['‘]?([^\s:'‘’]+)['’]?: No such file or directory`),
	regexp.MustCompile(`(?:^|[\s:])([\w./+-]+): (?:command )?not found$`),
}

// Missing returns the files and symbols that the lines say are lacking, in the
// order in which they are named, at most 10. It is empty where the failure is
// not one of missing information.
func Missing(lines []string, roots ...string) []string {
	var m lack
	for _, l := range lines {
		m.add(l)
	}
	return m.names(roots)
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
