package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"ralph/internal/cli/repositories"
	"ralph/internal/tui"
)

// everywhere are all repositories, for a screen of them.
type everywhere struct {
	*Commands
	all *repositories.All
	out *os.File

	mu sync.Mutex
	// clients are those of the repositories that were entered.
	clients []*client
}

// watchAll shows the runs of all repositories. Like the screen of one it only looks, until
// a person wants something of a run.
func (a *Commands) watchAll(ctx context.Context) error {
	in, out, err := a.screenful()
	if err != nil {
		return err
	}
	e := &everywhere{Commands: a, all: repositories.New(a.runner), out: out}
	defer e.close()
	return ended(tui.Run(ctx, tui.Options{
		All: &tui.All{Places: e.places, Enter: e.enter}, Project: "all repositories", By: a.Owner(), Palette: a.Palette(out), In: in, Out: out, Env: a.Env, Now: a.Now,
	}))
}

// places reads the repositories with their runs.
func (e *everywhere) places(ctx context.Context) ([]tui.Place, error) {
	all, err := e.all.List()
	if err != nil {
		return nil, err
	}
	out := make([]tui.Place, len(all))
	for i, r := range all {
		out[i] = tui.Place{Key: r.Key(), Title: r.Title(), Root: r.Root()}
		if out[i].Runs, err = r.Runs(ctx); err != nil {
			out[i].Err = fmt.Errorf("%s: %w", r.Root(), err)
		}
	}
	return out, nil
}

// enter is the screen of one repository, as ralph watch there shows it.
func (e *everywhere) enter(ctx context.Context, key string) (tui.Options, error) {
	all, err := e.all.List()
	if err != nil {
		return tui.Options{}, err
	}
	for _, r := range all {
		if r.Key() != key {
			continue
		}
		p, err := r.Open(ctx)
		if err != nil {
			return tui.Options{}, err
		}
		in := New(r.Runner, func(args ...string) (string, int) { return e.command(append([]string{"-C", r.Root()}, args...)...) })
		c := &client{Loops: p.Loops, from: in, place: p}
		e.mu.Lock()
		e.clients = append(e.clients, c)
		e.mu.Unlock()
		o := in.screen(c, e.out)
		o.Root = r.Root()
		return o, nil
	}
	return tui.Options{}, errors.New("the repository is not there any more")
}

// close closes the stores, when the screen has ended.
func (e *everywhere) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range e.clients {
		c.close()
	}
	e.all.Close()
}
