package runs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
)

// PutQuestion asks an open question at the terminal until the answer is one. "" is a
// person who leaves it open.
func PutQuestion(ctx context.Context, a *project.Opener, q Question) (string, error) {
	if !a.Asks() {
		if q.Question.Dispute != nil { // what it is about stands behind its first line
			a.Say("%s", strings.TrimRight(q.Text(), "\n"))
		}
		return "", exit.UsageError(q.AnswerCommand(), "an answer is needed and there is no terminal to ask on: %s", q.Line())
	}
	answer, err := a.AskNow(ctx, q.prompt(a.Now()))
	for {
		if errors.Is(err, io.EOF) {
			fmt.Fprintln(a.Err)
			return "", nil
		}
		if err != nil {
			return "", err
		}
		text, why, other := q.Accepts(answer)
		if text == "" || why == "" {
			return text, nil
		}
		fmt.Fprintln(a.Err, "  "+why)
		if other {
			if yes, err := a.YesOrNo(ctx, "  Send it all the same? [y/N] ", false); err != nil || yes {
				return text, err
			}
		}
		answer, err = a.Ask(ctx, "> ")
	}
}
