package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/report"
)

func (a *app) loopCheckCommand() *cobra.Command {
	var parent string
	cmd := &cobra.Command{
		Use:   "check [ID]",
		Short: "Evaluate the gate in this tree; exit code 0 done, 2 keep iterating, 1 failed",
		Long: `Evaluate the loop's gates once, in the tree this is called from, and record the result.
A loop that has ended gives the same answer for ever. Codes of 64 and more mean that the
question could not be answered.`,
		Example: `  ralph loop check --loop-id abc123
  ralph loop check --json
  ralph loop check --parent orch-001   # final verification, when all its loops have ended`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if parent != "" {
				return a.verifyParent(cmd.Context(), parent)
			}
			return a.loopCheck(cmd.Context(), first(args))
		},
	}
	cmd.Flags().StringVar(&parent, "parent", "", "verify the orchestration `ID`: all configured gates, when its loops have ended")
	a.loopIDFlag(cmd)
	return cmd
}

// loopCheck is seed 000's --check.
func (a *app) loopCheck(ctx context.Context, name string) error {
	p, err := a.openForCheck(ctx)
	if err != nil {
		return err
	}
	defer p.close()
	l, err := a.drivenLoop(ctx, p, name)
	if err != nil {
		return err
	}
	return a.check(ctx, p, l.State.ID)
}

// check evaluates, tells, and ends with the code of the answer.
func (a *app) check(ctx context.Context, p *project, id string) error {
	ctx, stop := a.untilSignal(ctx)
	defer stop()
	l, err := p.engine.Check(ctx, id, "")
	if err != nil {
		return err
	}
	if err := a.tellDriven(l); err != nil {
		return err
	}
	if !a.json {
		a.printNotes(p.engine.Hints(ctx, id))
	}
	return ends(report.CheckExit(l.State))
}

// verifyParent is the orchestrator's final verification: when every loop of the
// orchestration has ended, all gates of the project, as one more loop of it
// (ID-final). The gates decide; a part that failed is named.
func (a *app) verifyParent(ctx context.Context, parent string) error {
	p, err := a.openForCheck(ctx)
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.engine.Settle(ctx); err != nil {
		return err
	}
	parts, err := a.children(ctx, p, parent, false)
	if err != nil {
		return err
	}
	final := parent + "-final"
	parts = slices.DeleteFunc(parts, func(l engine.Loop) bool { return l.State.ID == final })
	var open, lost []string
	for _, l := range parts {
		switch {
		case !l.State.Status.Terminal():
			open = append(open, l.State.ID+" ("+standing(l)+")")
		case l.State.Status != loop.StatusPassed:
			lost = append(lost, fmt.Sprintf("%s (%s/%s)", l.State.ID, l.State.Status, l.State.Reason))
		}
	}
	switch {
	case len(parts) == 0:
		return usage("ralph loop list", "no loop has the parent %q", parent)
	case len(open) > 0:
		return a.notEnded(parent, open)
	case len(lost) > 0:
		a.say("parts that did not pass: %s", strings.Join(lost, ", "))
	}
	if _, err := p.engine.Show(ctx, final); errors.Is(err, engine.ErrNoLoop) {
		if err := a.beginVerification(ctx, parent, final); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return a.check(ctx, p, final)
}

func (a *app) notEnded(parent string, open []string) error {
	if a.json {
		if err := a.object(map[string]any{"schema": "ralph.verification/v1", "parent": parent, "exit_code": exitUnfinished, "open": open}); err != nil {
			return err
		}
	} else {
		a.print("○ WAITING  these loops of " + parent + " have not ended: " + strings.Join(open, ", ") + "\nWait for them, then verify again.\nExit code 2: not yet")
	}
	return ends(exitUnfinished)
}

func (a *app) beginVerification(ctx context.Context, parent, id string) error {
	w, _, err := a.initLoop(ctx, loopFlags{
		id: id, parent: parent, agent: "orchestrator", onStuck: "continue", stall: "off", timeout: time.Hour.String(), force: true,
		task: "final verification of " + parent,
	})
	if err == nil {
		w.close()
	}
	return err
}

// openForCheck opens the memory of the repository without asking git, where
// its files tell enough: an agent waits for the answer.
func (a *app) openForCheck(ctx context.Context) (*project, error) {
	p, err := a.locateFast(ctx)
	if err != nil {
		return nil, err
	}
	return p, a.connect(ctx, p, false)
}

func (a *app) locateFast(ctx context.Context) (*project, error) {
	repo, err := a.glance(ctx, a.Dir)
	if err != nil {
		return nil, err
	}
	p := at(git.Place{CommonDir: repo.CommonDir, MainRoot: repo.MainRoot})
	p.repo = repo
	return p, nil
}

func (a *app) glance(ctx context.Context, dir string) (*git.Repo, error) {
	if a.getenv("GIT_DIR") == "" {
		if repo, ok := git.Glance(dir, a.Env); ok {
			return repo, nil
		}
	}
	return git.OpenEnv(ctx, dir, a.Env)
}

// untilSignal is a context that ends when the program is asked to end: a check
// that is cut off has not happened.
func (a *app) untilSignal(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	in := make(chan os.Signal, 1)
	signal.Notify(in, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if sig, ok := <-in; ok {
			code := exitTerminated
			if sig == os.Interrupt {
				code = exitInterrupted
			}
			cancel(&failure{code: code, err: errors.New("the check was cut off; nothing was recorded"), hint: "ralph loop check again"})
		}
	}()
	return ctx, func() { signal.Stop(in); close(in); cancel(nil) }
}
