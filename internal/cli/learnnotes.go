package cli

import (
	"context"
	"os"

	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/learn"
	"ralph/internal/loop"
)

// Notes from earlier loops are a help and no condition: whatever keeps them from
// being found, the command that would have shown them goes on without.

// printNotes shows a section to the agent that drives a loop, below the answer.
func (a *app) printNotes(section string, err error) {
	if err == nil && section != "" {
		a.Print("\n" + section)
	}
}

// notesFor are those that the first prompt of a loop would show, as far as they
// depend on no gate. Nothing is written.
func (a *app) notesFor(ctx context.Context, p *project.Project, s loop.State) []learn.Known {
	if err := a.Connect(ctx, p, true); err != nil {
		return nil
	}
	defer p.Close()
	var names []string
	if files, err := p.Repo.ListTree(ctx, s.Base); err == nil {
		for _, f := range files {
			names = append(names, f.Path)
		}
	}
	found, err := p.Engine.Recall(ctx, s, names)
	if err != nil {
		return nil
	}
	return found
}

// sessionNotes is the section for a session that begins: about its loop, or the
// best of the repository.
func (a *app) sessionNotes(ctx context.Context, in hookInput, l *engine.Loop) string {
	place, ok := a.placeOf(in)
	if !ok {
		return ""
	}
	p := project.At(place)
	if _, err := os.Lstat(p.Home); err != nil {
		return ""
	}
	if err := a.Connect(ctx, p, l == nil); err != nil {
		return ""
	}
	defer p.Close()
	if l != nil {
		section, err := p.Engine.Briefing(ctx, l.State.ID)
		if err != nil {
			return ""
		}
		return section
	}
	way := a.learning(p)
	if way == loop.LearnOff {
		return ""
	}
	section, err := p.Engine.BestNotes(ctx, way == loop.LearnReviewed)
	if err != nil {
		return ""
	}
	return section
}

// learning is the configured way; off where the configuration cannot be read.
func (a *app) learning(p *project.Project) loop.Learning {
	found, err := config.Find(p.Root(), "", a.Env)
	if err != nil {
		return loop.LearnOff
	}
	set, err := config.Resolve(config.Sources{Env: a.Env, Project: found.Project, User: found.User})
	if err != nil {
		return loop.LearnOff
	}
	return loop.Learning(set.Settings.Learn)
}
