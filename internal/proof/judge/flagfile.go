package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/manifest"
	"ralph/internal/text/shell"
)

// A command can read its options from a file: "cc @flags.txt", "go test $(cat .flags) ./...",
// "CFLAGS := $(shell cat .cflags)", "xargs -a tests.txt pytest". Such a file decides what is
// run like the command itself.

var (
	// readsList matches the tests or sources that xargs hands to a command.
	readsList = lazyregexp.New(`\bxargs\b[^\n|;&]*?(?:\s-a\s*|<\s*)([\w./-]+)|\bcat\s+([\w./-]+)\s*\|\s*xargs\b`)
	// optionsRead matches the content of a file as the words of a command or of a variable of
	// options; as a part of a word (-DVERSION=$(cat VERSION)) it is a value.
	optionsRead  = `["']?(?:\$?\$\((?:shell\s+)?(?:cat\s+|file\s+<\s*|<\s*)|` + "`cat\\s+)([\\w./-]+)[^)`\\n]*[)`][\"']?(?:\\s|$)"
	optionsOf    = lazyregexp.New(`(?im)\b\w*(?:flags|opts|options|args)\w*\s*[:+?]?=(?:[^\n]*\s)?` + optionsRead)
	optionsAfter = sync.OnceValue(func() *lazyregexp.Regexp {
		return lazyregexp.New(`(?m)(?:^|[\s;&|"'/@(])(?:` + programNames(compilers, testPrograms, inspectors) + `|\$[({](?:CC|CXX|LD|GO|CARGO|PYTEST)[)}])\s(?:[^\n;|&]*\s)?` + optionsRead)
	})
)

// programNames is an alternative of all names.
func programNames(lists ...[]string) string {
	var names []string
	for _, name := range slices.Concat(lists...) {
		names = append(names, regexp.QuoteMeta(name))
	}
	return strings.Join(names, "|")
}

// readFlags adds the files from which commands in a text, which run in a folder, take options.
func (r *reach) readFlags(dir, text string) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	add := func(from, name string) {
		if name != "" && manifest.Of(name) == nil {
			r.nameEither(path.Join(from, name))
		}
	}
	for _, pattern := range []*lazyregexp.Regexp{readsList, optionsOf, optionsAfter()} {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			add(dir, strings.Join(m[1:], ""))
		}
	}
	if !strings.Contains(text, "@") {
		return
	}
	for line := range strings.Lines(text) {
		for _, c := range shell.Split(variable.ReplaceAllString(strings.TrimLeft(line, "\t @+-"), "$$v")) {
			name := path.Base(c.Words[0])
			if !strings.HasPrefix(name, "$") && !slices.Contains(slices.Concat(compilers, testPrograms, inspectors), name) {
				continue
			}
			for _, w := range c.Words[1:] {
				if file, is := strings.CutPrefix(w, "@"); is {
					add(path.Join(dir, c.Dir), file)
				}
			}
		}
	}
}
