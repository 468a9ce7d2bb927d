package launch

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// The forms of --budget that need no word for what is bounded.
var (
	asMoney  = lazyregexp.New(`(?i)^\$|usd$`)
	asTokens = lazyregexp.New(`^[0-9.]+[kKMG]$`)
	asTime   = lazyregexp.New(`^[0-9.]+[0-9.hms]*[hms]$`)
)

// BudgetSettings are what --budget means: 5USD, tokens=2M, plan.wall=8h. level
// is meant where none is named.
func BudgetSettings(level loop.BudgetLevel, values []string) ([]config.Setting, error) {
	var out []config.Setting
	for _, v := range values {
		key, amount, err := budgetKey(level, v)
		if err != nil {
			return nil, err
		}
		out = append(out, config.Setting{Key: key, Flag: "--budget", Value: amount})
	}
	return out, nil
}

func budgetKey(level loop.BudgetLevel, v string) (key, amount string, err error) {
	const hint = "--budget 5USD, --budget tokens=2M, --budget attempts=20, --budget wall=2h; of a level: --budget session.money=20USD"
	what, amount, named := strings.Cut(v, "=")
	if !named {
		amount = strings.TrimSpace(v)
		switch {
		case asMoney.MatchString(amount):
			what = "money"
		case asTokens.MatchString(amount):
			what = "tokens"
		case asTime.MatchString(amount):
			what = "wall"
		default:
			return "", "", exit.UsageError(hint, "--budget %q: missing unit (money, tokens, attempts, wall)", v)
		}
	}
	if of, part, leveled := strings.Cut(what, "."); leveled {
		level, what = loop.BudgetLevel(of), part
	}
	if !slices.Contains([]loop.BudgetLevel{loop.SessionLevel, loop.PlanLevel, loop.TaskLevel}, level) ||
		!slices.Contains([]string{"money", "tokens", "attempts", "wall"}, what) {
		return "", "", exit.UsageError(hint, "--budget %q: unknown budget", v)
	}
	return fmt.Sprintf("budget.%s.%s", level, what), strings.TrimSpace(amount), nil
}
