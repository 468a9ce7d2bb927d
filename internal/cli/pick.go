package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// pick finds the loop a command is about: the named one, else the only active
// one, else a choice on a terminal, else an error that lists them (seed 001).
func (a *app) pick(ctx context.Context, p *project, name string) (engine.Loop, error) {
	if name != "" {
		id, err := p.engine.Find(ctx, name)
		if err != nil {
			return engine.Loop{}, err
		}
		return p.engine.Show(ctx, id)
	}
	active, err := p.engine.List(ctx, engine.Filter{Active: true})
	switch {
	case err != nil:
		return engine.Loop{}, err
	case len(active) == 1:
		return active[0], nil
	case len(active) == 0:
		return engine.Loop{}, usage("ralph status --all lists them; name one by its id", "no loop is active here")
	}
	return a.choose(ctx, active)
}

func (a *app) choose(ctx context.Context, loops []engine.Loop) (engine.Loop, error) {
	var b strings.Builder
	for i, l := range loops {
		fmt.Fprintf(&b, "  %d  %s  %s  %s\n", i+1, l.State.ID, standing(l), firstLine(report.Clean(l.State.Task.Text), 40))
	}
	if !a.asks() {
		return engine.Loop{}, usage("name one of these ids", "several loops are active:\n%s", strings.TrimRight(b.String(), "\n"))
	}
	answer, err := a.ask(ctx, "Which loop?\n"+b.String()+"number: ")
	if err != nil {
		return engine.Loop{}, err
	}
	if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(loops) {
		return loops[n-1], nil
	}
	return engine.Loop{}, usage("type one of the numbers", "%q is none of them", answer)
}

// standing is a loop's status in one word or two.
func standing(l engine.Loop) string {
	s := string(report.Status(l.State, facts(l)))
	if l.State.Status == loop.Waiting {
		s += " for " + string(l.State.Reason)
	}
	return s
}

func firstLine(text string, most int) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(line); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return line
}

// first is the zero value of an empty list.
func first[T any](list []T) (one T) {
	if len(list) > 0 {
		one = list[0]
	}
	return one
}
