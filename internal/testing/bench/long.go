package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralph/internal/store"
)

// long measures whether the last tasks of a long plan cost more than the first ones: a plan
// does its last tenth while another one of the same size begins, and the time of a task is
// that of the moments at which both work, so that both have the same load.
func (b *bench) long(ctx context.Context) ([]row, error) {
	tasks := 5000
	if b.quick {
		tasks = 200
	}
	late, err := b.longPlan(ctx, "late", tasks)
	if err != nil {
		return nil, err
	}
	defer late.end()
	if err := late.landed(ctx, tasks-tasks/10, b); err != nil {
		return nil, err
	}
	early, err := b.longPlan(ctx, "early", tasks)
	if err != nil {
		return nil, err
	}
	defer early.end()
	if err := late.landed(ctx, tasks, b); err != nil {
		return nil, err
	}
	early.end()
	if err := early.read(ctx); err != nil {
		return nil, err
	}
	if len(early.at) < tasks/40 {
		return nil, fmt.Errorf("the plan beside it landed %d tasks only", len(early.at))
	}
	from, to := early.at[0], slices.MinFunc([]time.Time{late.at[tasks-1], early.at[len(early.at)-1]}, time.Time.Compare)
	ours, floor := late.perTask(from, to), early.perTask(from, to)
	return []row{{
		what:   fmt.Sprintf("a task of the last %d of a plan of %d, at the same time", ours.tasks, tasks),
		beside: fmt.Sprintf("one of the first %d of another plan of %d", floor.tasks, tasks),
		unit:   "ms", floor: series{floor.each}, ours: series{ours.each}, target: ratioAtMost(1.1),
		note: "Agents and gates are held by the sandbox, as by default.",
	}}, nil
}

// longPlan is a plan that runs, in a repository of its own.
type longPlan struct {
	*background
	repo, id string
	seen     int64
	// at are the times at which tasks landed.
	at []time.Time
}

func (b *bench) longPlan(ctx context.Context, name string, tasks int) (*longPlan, error) {
	repo, err := b.repository(ctx, "long-"+name, 100)
	if err != nil {
		return nil, err
	}
	p := &planning{bench: b, repo: repo}
	file, err := p.file(name, tasks)
	if err != nil {
		return nil, err
	}
	c := p.command(file, 1, appending, "auto")
	return &longPlan{background: b.background(ctx, "long-"+name, c), repo: repo}, nil
}

// landed waits until as many tasks have landed.
func (p *longPlan) landed(ctx context.Context, tasks int, b *bench) error {
	told := 0
	for {
		if err := p.read(ctx); err != nil {
			return err
		}
		if told < len(p.at)/100 {
			told = len(p.at) / 100
			b.say("  %d", len(p.at))
		}
		if len(p.at) >= tasks {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.over:
			if err := p.read(ctx); err != nil || len(p.at) >= tasks {
				return err
			}
			return errors.Join(p.err, fmt.Errorf("the plan ended with %d of %d tasks landed: exit %d: %s", len(p.at), tasks, p.out.Code, tail(p.out.Stderr)))
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// read reads the events since the last time. Before the plan is recorded there are none.
func (p *longPlan) read(ctx context.Context) error {
	s, err := store.Open(ctx, memoryOf(p.repo), store.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer s.Close()
	if p.id == "" {
		plans, err := s.Plans().List(ctx, store.Filter{Limit: 1})
		if err != nil || len(plans) == 0 {
			return err
		}
		p.id = plans[0].State.ID
	}
	events, err := s.Plans().Events(ctx, p.id, p.seen, 0)
	for _, e := range events {
		p.seen = e.Seq
		if e.Name == "landed" {
			p.at = append(p.at, e.At)
		}
	}
	return err
}

// pace is how many tasks landed in a time, and how many milliseconds each took.
type pace struct {
	tasks int
	each  float64
}

func (p *longPlan) perTask(from, to time.Time) (out pace) {
	for _, at := range p.at {
		if at.After(from) && !at.After(to) {
			out.tasks++
		}
	}
	out.each = ms(to.Sub(from)) / float64(max(1, out.tasks))
	return out
}
