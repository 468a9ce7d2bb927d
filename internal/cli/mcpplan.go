package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/runs"
	"ralph/internal/engine/planner"
	"ralph/internal/mcp"
	"ralph/internal/next"
	"ralph/internal/text"
)

// ofSession refuses an agent that works in a loop: it decides nothing about plans,
// its own among them. The agent of a person's session only hands on what the person
// wants.
func (a *app) ofSession() error {
	if a.sandboxedAgent == nil && a.Getenv("RALPH_LOOP_ID") == "" {
		return nil
	}
	return exit.UsageError("leave it to the person who runs the loop", "an agent in a loop has no say about plans")
}

// PlanRun is ralph run FILE -d, which asks nothing.
func (t *tools) PlanRun(ctx context.Context, r mcp.PlanRunRequest) mcp.Answer {
	return t.sayingOf(ctx, t.TeamAddress, "", func(a *app) error {
		if err := a.ofSession(); err != nil {
			return err
		}
		path, err := launch.PlanPath(a.Opener, r.File)
		if err == nil && path == "" {
			err = exit.UsageError("name the plan's file", "there is no plan %s", text.Clean(r.File))
		}
		if err == nil {
			err = sameTree(a.Dir, path)
		}
		if err != nil {
			return err
		}
		return a.inFiles(func() error {
			a.runner.Args = []string{"-C", a.Dir, "--no-input", "run", path, "--detach"}
			a.runner.Started = a.Dir
			return a.execute(ctx, a.runner.Args)
		})
	})
}

// sameTree refuses a plan outside of the session's repository, also behind a link: the
// agent names it, and its boxes would be ticked.
func sameTree(dir, path string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err == nil && planner.Top(dir) != planner.Top(filepath.Dir(path)) {
		err = planner.ErrOutside
	}
	if err != nil {
		return exit.UsageError("name a plan of this repository", "the plan cannot be run here: %v", err)
	}
	return nil
}

// inFiles gives a command that hands its terminal to a background process files in
// its place, and prints what was written to them.
func (a *app) inFiles(run func() error) error {
	out, notices := a.Out, a.Err
	file, err := os.CreateTemp("", "ralph-mcp-*")
	if err != nil {
		return fmt.Errorf("make a file for the output: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	a.Out, a.Err = file, file
	err = run()
	a.Out, a.Err = out, notices
	if _, seekErr := file.Seek(0, io.SeekStart); seekErr == nil {
		_, _ = io.Copy(out, file)
	}
	return err
}

// PlanStatus is ralph status PLAN.
func (t *tools) PlanStatus(ctx context.Context, r mcp.PlanRequest) mcp.Answer {
	return t.sayingOf(ctx, t.TeamAddress, "", func(a *app) error {
		if err := a.execute(ctx, []string{"-C", a.Dir, "show", r.Plan}); err != nil {
			return err
		}
		return a.execute(ctx, []string{"-C", a.Dir, "--quiet", "status", r.Plan, "--exit-code"})
	})
}

// PlanAnswer puts an open question to the person, and is ralph answer with their
// words.
func (t *tools) PlanAnswer(ctx context.Context, r mcp.PlanAnswerRequest) mcp.Answer {
	return t.sayingOf(ctx, t.TeamAddress, "", func(a *app) error {
		if err := a.ofSession(); err != nil {
			return err
		}
		q, err := a.firstQuestion(ctx, r)
		if err != nil {
			return err
		}
		answer, err := mcp.AskPerson(ctx, q.Key(), strings.TrimSpace(q.Text()+q.Approves), q.Question.Options)
		if err != nil {
			return a.unasked(err, q.AnswerCommand())
		}
		args := []string{"-C", a.Dir, "--no-input", "answer"}
		switch {
		case q.Own != nil:
			args = append(args, "--question", q.Question.ID, "--", q.Plan, answer)
		default:
			args = append(args, "--", q.Loop, answer)
		}
		return a.execute(ctx, args)
	})
}

// firstQuestion is the oldest open question of a plan, or that about a task.
func (a *app) firstQuestion(ctx context.Context, r mcp.PlanAnswerRequest) (runs.Question, error) {
	p, err := a.Open(ctx, true)
	if err != nil {
		return runs.Question{}, err
	}
	defer p.Close()
	run, err := runs.Find(ctx, a.Opener, p, r.Plan, runs.Wanted{})
	if err != nil {
		return runs.Question{}, err
	}
	all, err := run.Questions(ctx)
	if err != nil {
		return runs.Question{}, err
	}
	for _, q := range all {
		if r.Task == "" || q.Task == r.Task {
			return q, nil
		}
	}
	return runs.Question{}, exit.UsageError(next.Status(run.Outcome().ID), "%s has no open question", text.Clean(r.Plan))
}

// PlanAccept asks the person, and is ralph accept PLAN. What needs a look before it
// is merged is refused: a person looks at it at a terminal.
func (t *tools) PlanAccept(ctx context.Context, r mcp.PlanRequest) mcp.Answer {
	return t.sayingOf(ctx, t.TeamAddress, "", func(a *app) error {
		if err := a.ofSession(); err != nil {
			return err
		}
		key, err := a.acceptKey(ctx, r.Plan)
		if err != nil {
			return err
		}
		var shown strings.Builder
		in := newApp(a.runner.Copy(), a.sandboxedAgent)
		in.Out = &shown
		if err := in.execute(ctx, []string{"-C", a.Dir, "show", r.Plan}); err != nil {
			return err
		}
		yes := "accept"
		answer, err := mcp.AskPerson(ctx, key, "Merge the work of this plan into the current branch?\n\n"+shown.String(), []string{yes, "do not accept"})
		if err == nil && answer != yes {
			err = mcp.ErrDeclined
		}
		if err != nil {
			return a.unasked(err, next.Accept(r.Plan))
		}
		return a.execute(ctx, []string{"-C", a.Dir, "--no-input", "accept", r.Plan})
	})
}

// acceptKey names the very work that a person is asked about.
func (a *app) acceptKey(ctx context.Context, plan string) (string, error) {
	p, err := a.Open(ctx, true)
	if err != nil {
		return "", err
	}
	defer p.Close()
	run, err := runs.Find(ctx, a.Opener, p, plan, runs.Wanted{})
	if err != nil {
		return "", err
	}
	_, head := run.Diff()
	return "accept " + run.Outcome().ID + " " + head, nil
}

// unasked is the end of a call whose person did not decide: it still waits for one.
func (a *app) unasked(err error, command string) error {
	if !errors.Is(err, mcp.ErrNoPerson) && !errors.Is(err, mcp.ErrDeclined) {
		return err
	}
	return &exit.Error{Code: exit.Human, Err: err, Hint: "a person types: " + command}
}
