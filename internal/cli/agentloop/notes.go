package agentloop

import (
	"context"
	"os"

	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// Notes from earlier loops are a help, not a condition: a command that cannot
// find them continues without.

// printNotes prints a section of notes below the answer to the agent.
func (c *Commands) printNotes(section string, err error) {
	if err == nil && section != "" {
		c.Print("\n" + section)
	}
}

// sessionNotes returns the notes for a session that starts: those about its loop,
// or the best of the repository.
func (c *Commands) sessionNotes(ctx context.Context, in hookInput, l *engine.Loop) string {
	place, ok := c.repositoryOf(in)
	if !ok {
		return ""
	}
	p := project.At(place)
	if _, err := os.Lstat(p.Home); err != nil {
		return ""
	}
	if err := c.Connect(ctx, p, l == nil); err != nil {
		return ""
	}
	defer p.Close()
	if l != nil {
		section, err := p.Loops.Briefing(ctx, l.State.ID)
		if err != nil {
			return ""
		}
		return section
	}
	way := c.learning(p)
	if way == loop.LearnOff {
		return ""
	}
	section, err := p.Loops.BestNotes(ctx, way == loop.LearnReviewed)
	if err != nil {
		return ""
	}
	return section
}

// learning returns the setting learn; off if the configuration cannot be read.
func (c *Commands) learning(p *project.Project) loop.Learning {
	found, err := config.Find(p.Root(), "", c.Env)
	if err != nil {
		return loop.LearnOff
	}
	set, err := config.Resolve(config.Sources{Env: c.Env, Project: found.Project, User: found.User})
	if err != nil {
		return loop.LearnOff
	}
	return loop.Learning(set.Settings.Learn)
}
