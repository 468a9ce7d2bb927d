package cli

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/agentloop"
	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	learncmd "ralph/internal/cli/learn"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/learn"
	"ralph/internal/mcp"
	"ralph/internal/text"
	"ralph/internal/view"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "mcp",
		GroupID: command.GroupIntegrations,
		Short:   "Let an agent drive its loops by tools (Model Context Protocol)",
		Long: `Serve the verbs of ralph loop, ralph ask and ralph learn as tools, and the
state and evidence of loops as resources, on standard input and output. An
agent's program starts it; ralph plugin install tells it how.

The loops that an agent drives are those of this machine. With --engine the tools for plans
are about the plans of the team, and the resources have the loops of both.`,
		Example: `  ralph plugin install claude           # tells the agent's program to start it
  ralph plugin print agents-md gemini   # to write it down yourself`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context()) },
	}
}

// mcp serves until the client leaves, which is success, or a signal comes.
func (a *app) mcp(ctx context.Context) error {
	ctx, stop := a.UntilSignal(ctx)
	defer stop()
	version, _ := command.Build()
	err := mcp.New(&tools{app: a}, mcp.Options{Version: version}).Serve(ctx, a.In, a.Out)
	if f, ok := errors.AsType[*exit.Error](context.Cause(ctx)); ok {
		return exit.With(f.Code)
	}
	return err
}

// tools answers an agent's tools with the functions behind the commands of the
// same names, so that both say the same words.
type tools struct{ *app }

// saying runs a command's function about loops of this machine, which agents drive.
func (t *tools) saying(ctx context.Context, dir string, run func(*app) error) mcp.Answer {
	return t.sayingOf(ctx, nil, dir, run)
}

// sayingOf runs a command's function as the command line would, in a tree, and
// makes an answer of what it printed and how it ended. team is where the loops are; nil is this machine.
func (t *tools) sayingOf(ctx context.Context, team *project.Address, dir string, run func(*app) error) mcp.Answer {
	var out, notices bytes.Buffer
	sub := newApp(t.runner.Copy(), t.sandboxedAgent)
	sub.In, sub.Out, sub.Err = strings.NewReader(""), &out, &notices
	var told *engine.Loop
	if sub.TeamAddress = team; team == nil {
		sub.Env = ofEngine(t.Env, config.LocalEngine)
	}
	sub.JSON, sub.NoInput, sub.OnReport = false, true, func(l engine.Loop) { told = &l }
	err := sub.in(dir)
	if err == nil {
		err = run(sub)
	}
	words := strings.TrimRight(notices.String()+out.String(), "\n")
	a := mcp.Answer{Text: words}
	if l := told; l != nil {
		a.LoopID, a.Status = l.State.ID, string(l.State.Status)
	}
	switch f := failureOf(ctx, err); {
	case f == nil:
	case f.Quiet:
		a.ExitCode = f.Code
	default:
		a.ExitCode, a.Text, a.Hint = f.Code, strings.TrimLeft(words+"\nralph: "+f.Error(), "\n"), f.Hint
	}
	return a
}

// in is at, for a path from a user in another directory.
func (a *app) in(dir string) error {
	if dir != "" && !filepath.IsAbs(dir) {
		return exit.UsageError("give the whole path", "dir: %s is not an absolute path", dir)
	}
	return a.at(dir)
}

// failureOf is what went wrong; a call that was cancelled went no further.
func failureOf(ctx context.Context, err error) *exit.Error {
	if err == nil {
		return nil
	}
	if f := exit.Classify(err); ctx.Err() == nil || f.Quiet {
		return f
	}
	return &exit.Error{Code: exit.Interrupted, Err: errors.New("cancelled; what was under way does not count")}
}

// Init is ralph loop init.
func (t *tools) Init(ctx context.Context, r mcp.InitRequest) mcp.Answer {
	f := agentloop.InitFlags{
		Gates: r.Gates, Task: r.Task, Kind: r.Kind, MayChange: r.MayChange, Refuse: r.Refuse, Timeout: r.Timeout, Stall: r.Stall, OnStuck: r.OnStuck, ID: r.LoopID,
		Agent: r.Agent, Parent: r.Parent, After: r.After, Scope: r.Scope, Session: r.Session,
	}
	if r.Threshold != nil {
		f.Threshold = strconv.FormatFloat(*r.Threshold, 'g', -1, 64)
	}
	if r.Max != nil {
		f.Max = strconv.Itoa(*r.Max)
	}
	if r.Confirm != nil {
		f.Confirm = strconv.Itoa(*r.Confirm)
	}
	return t.saying(ctx, r.Dir, func(a *app) error { return agentloop.New(a.Opener).Init(ctx, f) })
}

// Check is ralph loop check.
func (t *tools) Check(ctx context.Context, r mcp.CheckRequest) mcp.Answer {
	return t.saying(ctx, r.Dir, func(a *app) error {
		if r.Parent != "" {
			return agentloop.New(a.Opener).CheckOrchestration(ctx, r.Parent)
		}
		return agentloop.New(a.Opener).Check(ctx, r.LoopID)
	})
}

// Status is ralph loop status.
func (t *tools) Status(ctx context.Context, r mcp.StatusRequest) mcp.Answer {
	return t.saying(ctx, "", func(a *app) error { return agentloop.New(a.Opener).Status(ctx, r.LoopID) })
}

// List is ralph loop list.
func (t *tools) List(ctx context.Context, r mcp.ListRequest) mcp.Answer {
	return t.saying(ctx, "", func(a *app) error { return agentloop.New(a.Opener).List(ctx, r.Parent) })
}

// Abort is ralph loop abort.
func (t *tools) Abort(ctx context.Context, r mcp.AbortRequest) mcp.Answer {
	return t.saying(ctx, "", func(a *app) error { return agentloop.New(a.Opener).Abort(ctx, r.LoopID, r.Parent, r.Reason) })
}

// Ask is ralph ask.
func (t *tools) Ask(ctx context.Context, r mcp.AskRequest) mcp.Answer {
	f := agentloop.AskFlags{ID: r.LoopID, Options: r.Options, Default: r.Default, Wait: time.Duration(r.Wait) * time.Second, Timed: r.Within != ""}
	return t.saying(ctx, "", func(a *app) (err error) {
		if f.Timed {
			if f.Within, err = time.ParseDuration(r.Within); err != nil {
				return exit.UsageError(`"within": "30m"`, "within %q is no duration", r.Within)
			}
		}
		return agentloop.New(a.Opener).AskPerson(ctx, r.Question, f)
	})
}

// Dispute is ralph dispute.
func (t *tools) Dispute(ctx context.Context, r mcp.DisputeRequest) mcp.Answer {
	f := agentloop.DisputeFlags{ID: r.LoopID, Why: r.Why, Files: r.Files}
	return t.saying(ctx, "", func(a *app) error { return agentloop.New(a.Opener).Dispute(ctx, r.Gate, f) })
}

// LearnSearch is ralph learn search.
func (t *tools) LearnSearch(ctx context.Context, r mcp.LearnSearchRequest) mcp.Answer {
	return t.saying(ctx, "", func(a *app) error {
		if strings.TrimSpace(r.Query) == "" {
			return exit.UsageError("name a word of the failure", "the query is empty")
		}
		return learncmd.New(a.Opener).Search(ctx, r.Query)
	})
}

// LearnAdd is ralph learn add, in the name of the agent.
func (t *tools) LearnAdd(ctx context.Context, r mcp.LearnAddRequest) mcp.Answer {
	return t.saying(ctx, "", func(a *app) error {
		return learncmd.New(a.Opener).Add(ctx, learn.NoteInput{Text: r.Text, Fingerprint: r.Fingerprint, Paths: r.Paths})
	})
}

// Loops lists loops of every kind, those of this machine before those of a team.
func (t *tools) Loops(ctx context.Context, most int) (list []mcp.Loop, err error) {
	for _, team := range t.places() {
		err := t.inPlace(ctx, team, func(p *project.Project) error {
			loops, err := p.Loops.List(ctx, engine.Filter{Limit: most})
			for _, l := range loops[:min(len(loops), most-len(list))] {
				list = append(list, mcp.Loop{ID: l.State.ID, Status: string(l.State.Status), Task: text.Clean(l.State.Task.Text)})
			}
			return err
		})
		if err != nil {
			return list, err
		}
	}
	return list, nil
}

// places are where loops are: this machine (nil), and the server of a team.
func (t *tools) places() []*project.Address {
	if t.TeamAddress == nil {
		return []*project.Address{nil}
	}
	return []*project.Address{nil, t.TeamAddress}
}

// inPlace opens the project with the loops of a place.
func (t *tools) inPlace(ctx context.Context, team *project.Address, do func(*project.Project) error) error {
	in := t.runner.Copy()
	in.TeamAddress = team
	p, err := in.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	return do(p)
}

// State is what ralph status ID --json prints of a loop.
func (t *tools) State(ctx context.Context, id string) ([]byte, error) {
	l, err := t.shown(ctx, id)
	if err != nil {
		return nil, err
	}
	return view.Encode(project.View(l, t.Now()).Object())
}

// Evidence is ralph show ID --evidence.
func (t *tools) Evidence(ctx context.Context, id string) (string, error) {
	l, err := t.shown(ctx, id)
	if err != nil {
		return "", err
	}
	return project.View(l, t.Now()).Evidence(t.Now(), view.Palette{}), nil
}

// shown is a loop as agents hear of it.
func (t *tools) shown(ctx context.Context, id string) (l engine.Loop, err error) {
	for _, team := range t.places() {
		err = t.inPlace(ctx, team, func(p *project.Project) error {
			whole, err := p.Loops.Find(ctx, id)
			if err == nil {
				l, err = p.Loops.Show(ctx, whole)
			}
			return err
		})
		if !errors.Is(err, engine.ErrNotFound) {
			break
		}
	}
	return l.ForAgents(), err
}
