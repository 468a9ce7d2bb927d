package tui

import (
	"context"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/view"
)

// All are several repositories, for a screen that shows the runs of all of them. A key that
// opens a run, or does something with it, enters its repository: there the screen is the
// usual one, and esc comes back.
type All struct {
	// Places reads the repositories, in a fixed order.
	Places func(ctx context.Context) ([]Place, error)
	// Enter returns the screen of one, by its key.
	Enter func(ctx context.Context, key string) (Options, error)
}

// Place is a repository with its runs.
type Place struct {
	Key, Title, Root string
	// Runs are those that have not ended, and the newest that have, without the loops of
	// plans.
	Runs []view.Run
	// Err is why they cannot be read.
	Err error
}

// placed is a run of a repository.
type placed struct {
	key, id string
	run     view.Run
}

// lookedAll is the result of one look at all repositories.
type lookedAll struct {
	places []Place
	err    error
}

// lookAll looks at all repositories.
func (m *model) lookAll() tea.Cmd {
	ctx, read := m.ctx, m.o.All.Places
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, lookTimeout)
		defer cancel()
		places, err := read(ctx)
		return lookedAll{places, err}
	}
}

// applyLookAll shows the result. A repository that cannot be read hides no other.
func (m *model) applyLookAll(a lookedAll) tea.Cmd {
	m.looking, m.lookErr = false, a.err
	if a.err != nil {
		return nil
	}
	m.now = m.o.Now()
	m.asOf = m.now
	all := map[string]placed{}
	for _, p := range a.places {
		if p.Err != nil {
			m.lookErr = p.Err
		}
		name := p.Title
		for _, other := range a.places {
			if other.Key != p.Key && other.Title == p.Title {
				name = p.Key
			}
		}
		for _, r := range p.Runs {
			own := r.In(p.Root).Among(name)
			all[own.ID] = placed{p.Key, r.ID, own}
		}
	}
	moved := !reflect.DeepEqual(all, m.all)
	m.all = all
	m.arrange()
	if !moved {
		return nil
	}
	m.moved = true
	return m.tickSoon()
}
