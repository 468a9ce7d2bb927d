package secret

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Found is a secret that a change adds.
type Found struct {
	// Kind is the id of the rule, private-key, or value for that of a variable.
	Kind string
	File string
	// Line is that of the new file, from 1.
	Line int
}

func (f Found) String() string { return fmt.Sprintf("%s in %s:%d", f.Kind, f.File, f.Line) }

// Added returns the secrets that a patch (unified diff) adds, in its order. One that
// the same patch removes elsewhere was moved, and one in unchanged lines was there.
func (m *Masker) Added(patch string) []Found {
	var out []Found
	old := m.removed(patch)
	at := Found{}
	for line := range strings.SplitSeq(patch, "\n") {
		switch {
		case strings.HasPrefix(line, "+++ "):
			at.File = strings.TrimPrefix(strings.Trim(strings.TrimPrefix(line, "+++ "), "\""), "b/")
		case strings.HasPrefix(line, "@@ "):
			at.Line = firstLine(line)
		case strings.HasPrefix(line, "+"):
			for _, s := range m.secretsIn(line[1:]) {
				if f := (Found{s.kind, at.File, at.Line}); !slices.Contains(old, s.text) && !slices.Contains(out, f) {
					out = append(out, f)
				}
			}
			at.Line++
		case strings.HasPrefix(line, " "):
			at.Line++
		}
	}
	return out
}

// firstLine reads the c of "@@ -a,b +c,d @@".
func firstLine(header string) int {
	_, after, _ := strings.Cut(header, " +")
	digits, _, _ := strings.Cut(after, " ")
	digits, _, _ = strings.Cut(digits, ",")
	n, _ := strconv.Atoi(digits)
	return n
}

// removed returns the secrets that the patch removes.
func (m *Masker) removed(patch string) []string {
	var out []string
	for line := range strings.SplitSeq(patch, "\n") {
		if strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--- ") {
			for _, s := range m.secretsIn(line[1:]) {
				out = append(out, s.text)
			}
		}
	}
	return out
}

// one is a secret in a line.
type one struct{ kind, text string }

func (m *Masker) secretsIn(line string) []one {
	var out []one
	for _, s := range append(m.spans(line), rules().find(line)...) {
		out = append(out, one{s.kind, line[s.start:s.end]})
	}
	if strings.Contains(line, keyBegins) && strings.Contains(line, keyWord) {
		out = append(out, one{"private-key", line})
	}
	return out
}
