package web

import (
	"context"
	"errors"
	"strings"

	"ralph/internal/cli/foreground"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
	"ralph/internal/web"
)

// mostPatch is how much of a diff the pages show.
const mostPatch = 2 << 20

func (r *repository) Loop(ctx context.Context, id string) (web.Loop, error) {
	p, err := r.Open(ctx)
	if err != nil {
		return web.Loop{}, err
	}
	l, err := shown(ctx, id, p.Loops.Show)
	if err != nil {
		return web.Loop{}, err
	}
	items, err := runs.Items(ctx, p, []engine.Loop{l})
	if err != nil {
		return web.Loop{}, err
	}
	return web.Loop{Loop: view.LoopOf(items[0], r.Runner.Now()), Files: engine.Layout{Dir: l.Dir}, Seq: l.Seq}, nil
}

func (r *repository) Plan(ctx context.Context, id string) (web.Plan, error) {
	p, err := r.Open(ctx)
	if err != nil {
		return web.Plan{}, err
	}
	l, err := shown(ctx, id, p.Plans.Show)
	if err != nil {
		return web.Plan{}, err
	}
	reading := runs.Listed
	if l.State.Acceptable() {
		reading = runs.Whole // what to look at before is in them
	}
	item, err := runs.PlanItem(ctx, p, l, reading)
	if err != nil {
		return web.Plan{}, err
	}
	return web.Plan{Plan: view.PlanOf(item, r.Runner.Now()), Seq: l.Seq}, nil
}

// shown reads a run by its whole id: what is no id is not there.
func shown[T any](ctx context.Context, id string, show func(context.Context, string) (T, error)) (T, error) {
	if loop.ValidID(id) != nil {
		return *new(T), web.ErrNotFound
	}
	t, err := show(ctx, id)
	if errors.Is(err, engine.ErrNotFound) {
		err = web.ErrNotFound
	}
	return t, err
}

// handle is the run of an id.
func (r *repository) handle(ctx context.Context, p *project.Project, id string) (runs.Run, error) {
	l, err := shown(ctx, id, p.Loops.Show)
	if err == nil {
		return runs.OfLoop(r.Runner.Opener, p, l), nil
	}
	if !errors.Is(err, web.ErrNotFound) {
		return nil, err
	}
	plan, err := shown(ctx, id, p.Plans.Show)
	if err != nil {
		return nil, err
	}
	return runs.OfPlan(r.Runner.Opener, p, plan), nil
}

// Events are a page of the journal in words.
func (r *repository) Events(ctx context.Context, id string, after int64) ([]web.Line, error) {
	p, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	run, err := r.handle(ctx, p, id)
	if err != nil {
		return nil, err
	}
	rows, err := run.Events(ctx, after)
	out := make([]web.Line, 0, len(rows))
	var log view.Log
	for _, e := range rows {
		words := run.Line(e)
		if l, is := e.Decoded.(loop.Event); is { // the line of a terminal is cut at its width
			words = e.At.Local().Format("01-02 15:04:05") + "  " + e.Name + "  " + log.Happened(l)
		}
		_, begins := e.Decoded.(loop.AttemptBegan)
		out = append(out, web.Line{Seq: e.Seq, Text: strings.TrimRight(words, " \n"), Head: begins})
	}
	return out, err
}

// Diff is the patch of the run's work.
func (r *repository) Diff(ctx context.Context, id string) ([]byte, bool, error) {
	p, err := r.Open(ctx)
	if err != nil {
		return nil, false, err
	}
	run, err := r.handle(ctx, p, id)
	if err != nil {
		return nil, false, err
	}
	base, head := run.Diff()
	if head == "" {
		return nil, false, nil
	}
	located, err := r.Runner.Locate(ctx)
	if err != nil {
		return nil, false, err
	}
	return located.Repo.Diff(ctx, base, head, mostPatch)
}

// configured opens the repository with its configuration, for reading.
func (r *repository) configured(ctx context.Context) (*project.Project, error) {
	p, err := r.Runner.Locate(ctx)
	if err != nil {
		return nil, err
	}
	return p, r.Runner.Configure(p)
}

func (r *repository) Settings(ctx context.Context) ([]view.Setting, error) {
	p, err := r.configured(ctx)
	if err != nil {
		return nil, err
	}
	var out []view.Setting
	for _, v := range p.Settings.Values() {
		out = append(out, view.Setting{Key: text.Line(v.Key), Value: text.Line(v.Value), Origin: text.Line(v.Origin.String())})
	}
	return out, nil
}

// Agents are the names of those that a run can be started with.
func (r *repository) Agents(ctx context.Context) ([]string, error) {
	p, err := r.configured(ctx)
	if err != nil {
		return nil, err
	}
	return launch.AgentNames(r.Runner.Opener, p), nil
}

// Trust reports in words whether what the repository asks for is allowed on this machine.
func (r *repository) Trust(ctx context.Context) (string, error) {
	p, err := r.configured(ctx)
	if err != nil {
		return "", err
	}
	lines, err := r.Runner.Asked(ctx, p)
	switch {
	case err != nil:
		return "", err
	case project.NeedsNothing(lines):
		return "Nothing here needs to be allowed.", nil
	case r.Runner.Allowed(p, lines):
		return "Allowed on this machine: " + text.Plural(len(lines), "thing") + " that " + config.FileName + " asks for.", nil
	}
	return "Not allowed yet: " + text.Plural(len(lines), "thing") + " that " + config.FileName + " asks for. At a terminal: " + next.Trust(), nil
}

// Reply answers one question, as the button of a notification does.
func (r *repository) Reply(ctx context.Context, reply web.Reply) (string, error) {
	if loop.ValidID(reply.Run) != nil {
		return "", web.ErrNotFound
	}
	p, done, err := r.OpenForDecision(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	words, err := r.Runner.AnswerQuestion(ctx, p, foreground.Reply{
		Run: reply.Run, Instance: reply.Question, Answer: reply.Answer, By: r.Runner.Owner(), Other: true,
	})
	if stale, ok := errors.AsType[*foreground.StaleError](err); ok {
		return "", &web.StaleError{Happened: stale.Happened}
	}
	if errors.Is(err, engine.ErrNotFound) {
		err = web.ErrNotFound
	}
	return words, err
}

// Command runs a command of ralph in the repository.
func (r *repository) Command(_ context.Context, args ...string) web.Result {
	out, code := r.command(append([]string{"-C", r.Root()}, args...)...)
	return web.Result{Output: out, Code: code}
}
