package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/gate/testout"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// verdict is the answer of a gate with its one line of reason.
type verdict struct {
	loop.Verdict
	reason      string
	cannotStart bool
	// about are the lines that a failure is recognised by, where the reason
	// lies in what ralph found rather than in what the command printed.
	about []string
}

func passing(format string, args ...any) verdict {
	return verdict{Verdict: loop.Passed, reason: fmt.Sprintf(format, args...)}
}

// failing is for failures whose reason is in the output.
func failing(v loop.Verdict, format string, args ...any) verdict {
	return verdict{Verdict: v, reason: oneLine(fmt.Sprintf(format, args...))}
}

// finding is for failures that ralph found.
func finding(v loop.Verdict, format string, args ...any) verdict {
	f := failing(v, format, args...)
	f.about = []string{f.reason}
	return f
}

const longestReason = 300

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > longestReason {
		s = strings.ToValidUTF8(s[:longestReason-3], "") + "..."
	}
	return s
}

// tests names how many failed, and the first of them.
func testsFailed(r testout.Report) string {
	of := fmt.Sprintf("%d of %d tests failed", r.Failed, r.Run)
	if r.AtLeast {
		of = text.Plural(r.Failed, "test") + " failed"
	}
	names := slices.Clone(r.Names())
	for i, n := range names {
		names[i] = shortID(r.Format, n)
	}
	if len(names) == 0 {
		return of
	}
	const shown = 3
	list := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return of + ": " + list
}

// shortID leaves out the package of a Go test, and the middle of a long id.
func shortID(f testout.Format, id string) string {
	if f == testout.GoTest {
		if _, test, ok := strings.Cut(id, ":"); ok {
			id = test
		}
	}
	const longest = 90
	if len(id) > longest {
		id = strings.ToValidUTF8(id[:40], "") + "…" + strings.ToValidUTF8(id[len(id)-45:], "")
	}
	return id
}

// pct is a percentage for people, never rounded up to one that was not
// reached.
func pct(v float64) string {
	return strconv.FormatFloat(math.Floor(v*100+1e-6)/100, 'f', -1, 64) + " %"
}
