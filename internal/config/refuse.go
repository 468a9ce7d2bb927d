package config

import "ralph/internal/loop"

// Refusals are concerns for which work is refused.
type Refusals []string

// RefuseAll stands for each of them.
const RefuseAll = "all"

// Codes are the concerns, as a loop has them.
func (r Refusals) Codes() []loop.ConcernCode {
	var out []loop.ConcernCode
	for _, c := range r {
		if c == RefuseAll {
			return loop.RefusalCodes()
		}
		out = append(out, loop.ConcernCode(c))
	}
	return out
}

func refusalCodes() []string {
	return append(loop.CodeNames(loop.RefusalCodes()), RefuseAll)
}
