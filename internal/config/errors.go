package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"ralph/internal/text"
)

// Error is one mistake in one place. File is a file's name, an environment
// variable or a flag; Line and Column count from 1 and are 0 outside files.
// Hint says how to fix it.
type Error struct {
	File    string
	Line    int
	Column  int
	Message string
	Hint    string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Message)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Errors are all mistakes, in the order of their places.
type Errors []*Error

// maxErrors bounds the report.
const maxErrors = 50

func (e Errors) Error() string {
	lines := make([]string, 0, len(e))
	for i, one := range e {
		if i == maxErrors {
			lines = append(lines, fmt.Sprintf("and %d more", len(e)-i))
			break
		}
		lines = append(lines, one.Error())
	}
	return strings.Join(lines, "\n")
}

// within reports whether one of the mistakes is in the section at path, or in what holds it.
func (e Errors) within(path string) bool {
	return slices.ContainsFunc(e, func(one *Error) bool {
		key, _, _ := strings.Cut(one.Message, ": ")
		return key == path || strings.HasPrefix(key, path+".") || strings.HasPrefix(path, key+".")
	})
}

// with adds mistakes to those of the same file, in the order of their places.
func (e Errors) with(more Errors) Errors {
	files := map[string]int{}
	all := slices.Concat(e, more)
	for _, one := range all {
		if _, seen := files[one.File]; !seen {
			files[one.File] = len(files)
		}
	}
	slices.SortStableFunc(all, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(files[a.File], files[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}

// Unwrap lets errors.As find the first Error.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// problem is an Error without its file. A nil node means the node that was being
// read.
type problem struct {
	node    *yaml.Node
	message string
	hint    string
}

func problemf(hint, format string, args ...any) *problem {
	return &problem{message: fmt.Sprintf(format, args...), hint: hint}
}

func (p *problem) at(n *yaml.Node) *problem {
	p.node = n
	return p
}

// clip quotes a value of any size and content on one line.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// otherNames are what some call a key.
var otherNames = map[string]string{"files_from": "files"}

// unknown suggests what an unknown key may mean: a sibling of similar spelling, or
// the same key in another section.
func unknown(name string, section reflect.Value) *problem {
	p := problemf("", "unknown key %s", clip(name))
	siblings := keyNames(section)
	if near := cmp.Or(otherNames[name], nearest(name, siblings)); slices.Contains(siblings, near) {
		p.hint = `did you mean "` + near + `"?`
		return p
	}
	for _, k := range Keys() {
		if k.Path == name || strings.HasSuffix(k.Path, "."+name) {
			p.hint = `did you mean "` + k.Path + `"?`
			if !strings.Contains(k.Path, ".") {
				p.hint = k.Path + " is a key of its own, at the left margin"
			}
			return p
		}
	}
	p.hint = "known here: " + strings.Join(siblings, ", ")
	return p
}

func keyNames(section reflect.Value) []string {
	var all []string
	for i := range section.NumField() {
		all = append(all, section.Type().Field(i).Tag.Get("yaml"))
	}
	return all
}

// nearest returns the nearest of names that are written with _.
func nearest(s string, all []string) string {
	return text.Nearest(strings.ReplaceAll(s, "-", "_"), all)
}
