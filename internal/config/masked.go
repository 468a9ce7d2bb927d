package config

import (
	"fmt"

	"ralph/internal/lazyregexp"
)

// secretName is what variables are called that should not be on a screen. The
// settings are no place for secrets; whoever put one there all the same need not
// find it in the text that he shows somebody.
var secretName = lazyregexp.New(`(?i)(^|_)(key|apikey|token|secret|password|passwd|pwd|credentials?|auth)(_|$)`)

const masked = "(set, not shown)"

// shown is a value as it may be printed.
func shown(value fmt.Stringer) string {
	vars, is := value.(*Vars)
	if !is {
		return value.String()
	}
	out := make(Vars, len(*vars))
	for name, text := range *vars {
		if text != "" && secretName.MatchString(name) {
			text = masked
		}
		out[name] = text
	}
	return out.String()
}
