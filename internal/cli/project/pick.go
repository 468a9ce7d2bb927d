package project

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/text"
	"ralph/internal/view"
)

// ChooseLoop asks which of several loops is meant.
func (a *Opener) ChooseLoop(ctx context.Context, loops []engine.Loop) (engine.Loop, error) {
	id, err := a.Choose(ctx, Candidates(loops, nil))
	if err != nil {
		return engine.Loop{}, err
	}
	return loops[slices.IndexFunc(loops, func(l engine.Loop) bool { return l.State.ID == id })], nil
}

// candidate is one of those that a command without a name may be about.
type candidate struct{ id, line string }

func Candidates(loops []engine.Loop, plans []engine.Plan) []candidate {
	var all []candidate
	for _, l := range plans {
		all = append(all, candidate{l.State.ID, fmt.Sprintf("%s  plan  %s", l.State.Status, text.Headline(l.State.Title, 40))})
	}
	for _, l := range loops {
		all = append(all, candidate{l.State.ID, StatusText(l) + "  " + text.Headline(l.State.Task.Text, 40)})
	}
	return all
}

// Choose asks the user to choose where more than one loop matches, and
// without a terminal lists them.
func (a *Opener) Choose(ctx context.Context, all []candidate) (id string, err error) {
	if len(all) == 1 {
		a.About = all[0].id
		return a.About, nil
	}
	var b strings.Builder
	for i, c := range all {
		fmt.Fprintf(&b, "  %d  %s  %s\n", i+1, c.id, c.line)
	}
	if !a.Asks() {
		return "", exit.UsageError("name one of these ids", "more than one matches; choose one:\n%s", strings.TrimRight(b.String(), "\n"))
	}
	answer, err := a.Ask(ctx, "Which one?\n"+b.String()+"number: ")
	if err != nil {
		return "", err
	}
	if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(all) {
		a.About = all[n-1].id
		return a.About, nil
	}
	return "", exit.UsageError("type one of the numbers", "%q is not one of them", answer)
}

// StatusText is a loop's status in one word or two.
func StatusText(l engine.Loop) string {
	if l.State.Away() {
		return l.State.Message
	}
	s := string(view.Status(l.State, Facts(l)))
	if l.State.Status == loop.Waiting {
		s += " for " + string(l.State.Reason)
	}
	return s
}
