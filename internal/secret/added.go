package secret

import (
	"fmt"
	"slices"
	"strings"
)

// Found is a secret that a change adds.
type Found struct {
	// Kind is the id of the rule, private-key, or value for that of a variable.
	Kind string
	File string
	// Line is that of the new file, from 1.
	Line int

	text string // the secret
}

func (f Found) String() string { return fmt.Sprintf("%s in %s:%d", f.Kind, f.File, f.Line) }

// Added returns the secrets that patches (unified diffs of git, one after the other)
// add, in their order.
func (m *Masker) Added(patches string) []Found {
	var out []Found
	walk(patches, func(l patchLine) {
		if !l.added {
			return
		}
		for _, s := range m.secretsIn(l.text) {
			out = append(out, Found{Kind: s.kind, File: m.Mask(l.file), Line: l.number, text: s.text})
		}
	})
	return out
}

// Introduced returns, each place once, what of found was not there before. whole is the patch
// to which the patches amount: a secret that it removes was there, and one in unchanged
// lines too.
func (m *Masker) Introduced(found []Found, whole string) []Found {
	old := m.removed(whole)
	var out []Found
	for _, f := range found {
		known := func(o Found) bool { return o.String() == f.String() }
		if !slices.Contains(old, f.text) && !slices.ContainsFunc(out, known) {
			out = append(out, f)
		}
	}
	return out
}

// removed returns the secrets that the patch removes.
func (m *Masker) removed(patch string) []string {
	var out []string
	walk(patch, func(l patchLine) {
		if l.added {
			return
		}
		for _, s := range m.secretsIn(l.text) {
			out = append(out, s.text)
		}
	})
	return out
}

// one is a secret in a line, without its invisible parts.
type one struct{ kind, text string }

func (m *Masker) secretsIn(line string) []one {
	var out []one
	for _, s := range append(m.find(line), m.obscured(line)...) {
		if o := (one{s.kind, visible(line[s.start:s.end])}); !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	if shown := visible(line); strings.Contains(shown, keyBegins) && strings.Contains(shown, keyWord) {
		out = append(out, one{"private-key", shown})
	}
	return out
}

// Kinds returns the kinds of the secrets in a text, each once, in their order.
func (m *Masker) Kinds(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for _, s := range m.secretsIn(line) {
			if !slices.Contains(out, s.kind) {
				out = append(out, s.kind)
			}
		}
	}
	return out
}
