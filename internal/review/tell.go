package review

import (
	"fmt"
	"strings"

	"ralph/internal/review/ballot"
)

// Tell is an outcome in words: each vote with its reason and findings. It is
// what the next attempt is told, and what people read.
func Tell(o Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", o.Reason, o.Rule)
	if o.Degraded {
		b.WriteString("degraded: not everybody who was to be asked has voted\n")
	}
	for _, v := range o.Votes {
		fmt.Fprintf(&b, "\n%s: %s", v.Who(), v.Vote)
		if v.Reason != "" {
			b.WriteString(": " + v.Reason)
		}
		b.WriteString("\n")
		if v.Vote.Said() {
			findings(&b, v)
		}
	}
	return b.String()
}

func findings(b *strings.Builder, v ballot.Vote) {
	for _, f := range []struct {
		name string
		all  []string
	}{{"gap", v.Gaps}, {"edge case", v.EdgeCases}, {"not asked for", v.Extra}, {"called resolved, named nothing known", v.Unknown}} {
		for _, s := range f.all {
			fmt.Fprintf(b, "  %s: %s\n", f.name, s)
		}
	}
}
