package learn

import (
	"strings"

	"ralph/internal/text"
)

// The most that one pattern keeps, in bytes or in pieces. Together they keep a
// pattern below 8 KiB, and a memory of a thousand of them below 8 MiB.
const (
	mostSummary = 160
	mostName    = 120
	mostLines   = 12
	mostError   = 1000
	mostDiff    = 2000
	mostText    = 2000
	mostFiles   = 20
	mostPath    = 200
	mostWords   = 40
	mostSources = 5
	mostGlobs   = 10
)

// name is a short foreign text on one line.
func name(s string, most int) string { return text.Head(text.Line(s), most) }

// names are at most so many of them; empty ones are left out.
func names(all []string, most, bytes int) []string {
	var out []string
	for _, s := range all {
		if s = name(s, bytes); s != "" && len(out) < most {
			out = append(out, s)
		}
	}
	return out
}

const more = "[... cut ...]"

// whole keeps whole lines from the beginning, and says that it did.
func whole(s string, most int) string {
	if len(s) <= most {
		return s
	}
	most -= len(more) + 1
	if most <= 0 {
		return ""
	}
	head := s[:text.Boundary(s, most)]
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	return head + "\n" + more
}
