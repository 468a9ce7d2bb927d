package agentloop

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// reserved matches the names of orchestration checks: agents cannot choose the
// gate that judges an orchestration.
var reserved = lazyregexp.New(`-final(-[0-9]+)?$`)

// CheckOrchestration is ralph loop check --parent, the orchestration check (seed 000 calls it final
// verification; here that is the step that ends a check of one loop): when every
// loop of the orchestration has ended, all gates of the project (those of the parts
// where none is configured), as one more loop of it, ID-final. A part that did not pass, and was not done again, fails the whole also where the
// gates pass. A check that has ended keeps its result, as any loop: another
// part, or other files, begin a new one.
func (c *Commands) CheckOrchestration(ctx context.Context, parent string) error {
	p, err := c.openFast(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Loops.RecordDue(ctx); err != nil {
		return err
	}
	all, err := c.children(ctx, p, parent)
	if err != nil {
		return err
	}
	for _, l := range all {
		if err := c.refuseOthers(l); err != nil {
			return err
		}
	}
	finals, parts := divided(all, parent)
	open, lost := standings(parts)
	switch {
	case len(parts) == 0:
		return exit.UsageError("ralph loop list", "no loop has the parent %q", parent)
	case len(open) > 0:
		return c.printOpen(parent, open)
	}
	id, err := c.currentCheck(ctx, p, parent, finals, parts)
	if err != nil {
		return err
	}
	return c.evaluate(ctx, p, id, lost)
}

// divided are the checks of an orchestration, newest first, and its
// parts.
func divided(all []engine.Loop, parent string) (finals, parts []engine.Loop) {
	for _, l := range all {
		if rest, ok := strings.CutPrefix(l.State.ID, parent); ok && reserved.MatchString(rest) {
			finals = append(finals, l)
		} else {
			parts = append(parts, l)
		}
	}
	return finals, parts
}

// standings names the parts that have not ended, and those that did not pass.
func standings(parts []engine.Loop) (open, lost []string) {
	for _, l := range parts {
		switch {
		case !l.State.Status.Terminal():
			open = append(open, l.State.ID+" ("+project.StatusText(l)+")")
		case l.State.Status != loop.StatusPassed && !doneAgain(l.State, parts):
			lost = append(lost, fmt.Sprintf("%s (%s/%s)", l.State.ID, l.State.Status, l.State.Reason))
		}
	}
	return open, lost
}

// doneAgain reports whether a part that was begun after this one had ended has passed
// with the same work and the same gates.
func doneAgain(s loop.State, parts []engine.Loop) bool {
	return slices.ContainsFunc(parts, func(l engine.Loop) bool {
		other := l.State
		return other.Status == loop.StatusPassed && !other.StartedAt.Before(s.EndedAt) && other.Agent.Name == s.Agent.Name &&
			other.Task.Text == s.Task.Text && slices.Equal(other.Task.Scope, s.Task.Scope) && reflect.DeepEqual(other.Gates, s.Gates)
	})
}

// currentCheck returns the loop that checks the whole: the newest one
// while it is current, else a new one.
func (c *Commands) currentCheck(ctx context.Context, p *project.Project, parent string, finals, parts []engine.Loop) (string, error) {
	if len(finals) > 0 {
		holds, err := c.isCurrent(ctx, p, finals[0].State, parts)
		if err != nil || holds {
			return finals[0].State.ID, err
		}
	}
	for n := len(finals) + 1; ; n++ {
		id := parent + "-final"
		if n > 1 {
			id = fmt.Sprintf("%s-%d", id, n)
		}
		if l, err := p.Loops.Show(ctx, id); err == nil && (l.State.Mode != loop.AgentDriven || l.State.Parent != parent) {
			continue // another loop has this name
		}
		since, err := firstBase(ctx, p.Repo, finals, parts)
		if err != nil {
			return "", err
		}
		err = c.beginCheck(ctx, parent, id, gatesOf(parts), refusedBy(parts), since)
		if errors.Is(err, engine.ErrExists) { // another check began it just now
			err = nil
		}
		return id, err
	}
}

// firstBase is the commit on which the first part began, of those since the newest check
// that passed. It is empty where the branch no longer has it.
func firstBase(ctx context.Context, repo *git.Repo, finals, parts []engine.Loop) (string, error) {
	passed := slices.IndexFunc(finals, func(l engine.Loop) bool { return l.State.Status == loop.StatusPassed })
	var first *loop.State
	for _, l := range parts {
		checked := passed >= 0 && !l.State.EndedAt.After(finals[passed].State.StartedAt)
		if !checked && (first == nil || l.State.StartedAt.Before(first.StartedAt)) {
			first = &l.State
		}
	}
	if first == nil {
		return "", nil
	}
	head, err := repo.HeadOf(ctx, "")
	if err != nil {
		return "", err
	}
	if _, err := repo.ResolveCommit(ctx, first.Base); err != nil {
		return "", nil //nolint:nilerr // rewritten, and the old commits are gone
	}
	if has, err := repo.IsAncestor(ctx, first.Base, head.Commit); !has {
		return "", err
	}
	return first.Base, nil
}

// isCurrent reports whether the check runs, or has ended and nothing has
// changed since.
func (c *Commands) isCurrent(ctx context.Context, p *project.Project, final loop.State, parts []engine.Loop) (bool, error) {
	if !final.Status.Terminal() {
		return true, nil
	}
	if slices.ContainsFunc(parts, func(l engine.Loop) bool { return l.State.EndedAt.After(final.StartedAt) }) {
		return false, nil
	}
	seen, err := p.Repo.SnapshotTree(ctx, "")
	last := final.Last()
	return last != nil && last.Tree == seen.Tree, err
}

func (c *Commands) printOpen(parent string, open []string) error {
	if c.JSON {
		if err := c.Object(map[string]any{"schema": "ralph.verification/v1", "parent": parent, "exit_code": exit.Unfinished, "open": open}); err != nil {
			return err
		}
	} else {
		c.Print("○ WAITING  these loops of " + parent + " have not ended: " + strings.Join(open, ", ") + "\nWait for them, then check again.\nExit code 2: not yet")
	}
	return exit.With(exit.Unfinished)
}

// refusedBy is what work of any part is refused for: so is the whole.
func refusedBy(parts []engine.Loop) (codes []string) {
	for _, l := range parts {
		codes = append(codes, loop.CodeNames(l.State.Refuse)...)
	}
	return codes
}

// gatesOf are the gates of the parts, each once; two that share a name only get other
// names. One that judged the files of its part alone says nothing about the whole.
func gatesOf(parts []engine.Loop) []loop.Gate {
	var out []loop.Gate
	taken := map[string]bool{}
	for _, l := range parts {
		for _, g := range l.State.Gates {
			same := func(o loop.Gate) bool { o.Name = g.Name; return reflect.DeepEqual(o, g) }
			if g.Scoped || slices.ContainsFunc(out, same) {
				continue
			}
			name := g.Name
			for n := 2; taken[g.Name]; n++ {
				g.Name = fmt.Sprintf("%s-%d", name, n)
			}
			taken[g.Name] = true
			out = append(out, g)
		}
	}
	return out
}

func (c *Commands) beginCheck(ctx context.Context, parent, id string, parts []loop.Gate, refuse []string, since string) error {
	w, _, err := c.begin(ctx, InitFlags{
		ID: id, Parent: parent, Agent: "orchestrator", OnStuck: "continue", Stall: "off", Timeout: time.Hour.String(), Force: true,
		Task: "check of orchestration " + parent, whole: true, parts: parts, Refuse: refuse, since: since,
	})
	if err == nil {
		w.Close()
	}
	return err
}
