package learn

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// fixes are the failures that a change ended.
func (h tale) fixes() []Pattern {
	var out []Pattern
	for _, f := range h.failures {
		if len(f.fix) == 0 || len(f.lines) == 0 {
			continue
		}
		last := f.fix[len(f.fix)-1]
		p := h.pattern(ErrorFix, last.N, last.EndedAt)
		p.about(f)
		p.changed(filesOf(f.fix), h.patches(f.fix))
		p.Summary = name(fmt.Sprintf("%s: %s: gone after a change to %s", f.gate, headline(f.lines), some(p.Files)), mostSummary)
		out = append(out, p)
	}
	return out
}

// filesOf are the files that attempts changed.
func filesOf(attempts []loop.Attempt) []string {
	var files []string
	for _, a := range attempts {
		files = union(files, a.Files, 10*mostFiles)
	}
	return files
}

// patches of attempts, the newest first.
func (h tale) patches(attempts []loop.Attempt) string {
	var out []string
	for _, a := range slices.Backward(attempts) {
		if a.Changed {
			out = append(out, h.files.patch(a.N))
		}
	}
	return strings.Join(out, "\n")
}

// headline is the line that says most: the first that names an error or compares
// two values, else the first that tells of a failure.
func headline(lines []string) string {
	for _, says := range []func(string) bool{sharp.MatchString, telling.MatchString, func(string) bool { return true }} {
		if i := slices.IndexFunc(lines, says); i >= 0 {
			return text.Head(strings.TrimSpace(lines[i]), 80)
		}
	}
	return ""
}

// some names the first of a list.
func some(list []string) string {
	switch n := len(list); n {
	case 0:
		return "files that are not listed"
	case 1:
		return list[0]
	default:
		return fmt.Sprintf("%s and %d more", list[0], n-1)
	}
}
