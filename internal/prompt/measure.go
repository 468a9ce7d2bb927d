package prompt

import (
	"fmt"

	"ralph/internal/loop"
)

// measure compares the value of a numeric gate with its floor.
func measure(r loop.Result) string {
	if r.Value == nil && r.Threshold == nil {
		return ""
	}
	return fmt.Sprintf("Measured %s, needed %s.", number(r.Value), number(r.Threshold))
}

func number(v *float64) string {
	if v == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.4g", *v)
}

// needs says what a gate asks for beyond its command ending well.
func needs(g loop.Gate, scope []string) string {
	of := ""
	if g.Scoped && len(scope) > 0 {
		of = " in the files of your scope"
	}
	switch {
	case g.Threshold != nil:
		return "at least " + number(g.Threshold) + of
	case g.Baseline:
		return "at least what it was at the start" + of
	}
	return ""
}
