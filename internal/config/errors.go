package config

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
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

// unknown suggests what an unknown key may mean: a sibling of similar spelling, or
// the same key in another section.
func unknown(name string, section reflect.Value) *problem {
	p := problemf("", "unknown key %s", clip(name))
	siblings := keyNames(section)
	if near := nearest(name, siblings); near != "" {
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

// nearest returns the Nearest of names that are written with _.
func nearest(s string, all []string) string {
	return Nearest(strings.ReplaceAll(s, "-", "_"), all)
}

// Nearest returns the word of similar spelling, or "". A third of the letters may
// differ.
func Nearest(s string, all []string) string {
	s = strings.ToLower(s)
	if len(s) > 64 {
		return ""
	}
	best, least := "", 1+max(1, len(s)/3)
	for _, w := range all {
		if d := distance(s, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour.
func distance(a, b string) int {
	row := make([][]int, len(a)+1)
	for i := range row {
		row[i] = make([]int, len(b)+1)
		row[i][0] = i
	}
	for j := range row[0] {
		row[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			row[i][j] = min(row[i-1][j]+1, row[i][j-1]+1, row[i-1][j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[i][j] = min(row[i][j], row[i-2][j-2]+1)
			}
		}
	}
	return row[len(a)][len(b)]
}
