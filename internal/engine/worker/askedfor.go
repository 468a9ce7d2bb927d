package worker

import (
	"context"
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// readsLibrary matches a script that reads another into itself.
var readsLibrary = lazyregexp.New(`(?m)^\s*(?:\.|source)\s+\S`)

// askedFor makes a failure of a gate whose script does not find a command that the task asks for,
// and reads a library of shell that may get it: it is no tool that the machine lacks.
func (w *Worker) askedFor(ctx context.Context, s loop.State, e evaluation, r *loop.Result) error {
	name, missing := strings.CutPrefix(r.Reason, "command not found: ")
	if !missing || !r.CannotStart {
		return nil
	}
	word := regexp.MustCompile(`(?:^|[^\w./-])` + regexp.QuoteMeta(name) + `(?:$|[^\w/-])`)
	if !word.MatchString(s.Task.Asks()) || word.MatchString(e.Gate.Run) {
		return nil
	}
	duties, err := w.dutiesOf(ctx, s.Base, *e.Gate)
	if err == nil && readsLibrary.MatchString(duties.Texts) {
		r.CannotStart, r.Verdict = false, loop.Failed
	}
	return err
}
