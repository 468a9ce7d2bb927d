package worker

import (
	"regexp"
	"strings"

	"ralph/internal/loop"
)

// askedFor makes a failure of a gate whose script does not find a command that the task asks
// for, such as a function of a library of shell: it is no tool that the machine lacks.
func askedFor(s loop.State, e evaluation, r *loop.Result) {
	name, missing := strings.CutPrefix(r.Reason, "command not found: ")
	if !missing || !r.CannotStart {
		return
	}
	word := regexp.MustCompile(`(?:^|[^\w./-])` + regexp.QuoteMeta(name) + `(?:$|[^\w/-])`)
	if word.MatchString(s.Task.Text) && !word.MatchString(e.Gate.Run) {
		r.CannotStart, r.Verdict = false, loop.Failed
	}
}
