package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/text"
	"ralph/internal/view"
)

// What the agent is asked for, and how that is judged. The words are fixed, so
// that a scripted agent can do it too.
const (
	tryTask = "Write a file named proof.txt in the folder you are in. Its only content is this line:\n\nralph was here\n\nChange nothing else."
	tryGate = "grep -qx 'ralph was here' proof.txt"
	tryFile = "proof.txt"
	tryID   = "try"
)

// tryTime bounds the run, tryTurns the calls of the model.
const (
	tryTime  = 5 * time.Minute
	tryTurns = 12
)

// tried is what one small run of an agent proved.
type tried struct {
	Proved bool    `json:"proved"`
	Steps  []proof `json:"steps"`
	// Directory is where all of it lies; empty when it was removed.
	Directory string      `json:"directory,omitempty"`
	Loop      view.Object `json:"loop"`
	state     loop.State
}

// try lets an agent do one small task in a repository made for it.
func (c *checkup) try(ctx context.Context, g loop.Agent) (*tried, error) {
	if err := c.confirmTry(ctx, g); err != nil {
		return nil, err
	}
	inner, dir, err := c.tryPlace(ctx)
	if err != nil {
		return nil, err
	}
	t := &tried{Directory: dir}
	if err := inner.playTry(ctx, g, t); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	t.Steps = proofs(t.state)
	mendLogin(t.Steps, g)
	if t.Proved = t.state.Status == loop.StatusPassed; t.Proved {
		_ = os.RemoveAll(dir)
		t.Directory = ""
	}
	return t, nil
}

// confirmTry asks first: a real turn costs.
func (c *checkup) confirmTry(ctx context.Context, g loop.Agent) error {
	payer := ""
	if i := slices.IndexFunc(c.agents, func(f agentFacts) bool { return f.Name == g.Name && f.Account.What != "" }); i >= 0 {
		payer = "\n" + g.Name + " is paid by " + c.agents[i].Account.What + "."
	}
	yes, err := c.Confirm(ctx, fmt.Sprintf("--try lets %s do one small task, which may cost money.%s Start it?", g.Name, payer))
	if err == nil && !yes {
		err = exit.UsageError("ralph doctor, without --try, costs nothing", "nothing was started")
	}
	return err
}

// tryPlace makes the repository, and an app that works in it.
func (c *checkup) tryPlace(ctx context.Context) (*Commands, string, error) {
	tmp, err := filepath.EvalSymlinks(cmp.Or(c.Getenv("TMPDIR"), os.TempDir()))
	if err != nil {
		return nil, "", fmt.Errorf("find the directory for temporary files: %w", err)
	}
	dir, err := os.MkdirTemp(tmp, "ralph-try-")
	if err != nil {
		return nil, "", fmt.Errorf("make a directory for the try: %w", err)
	}
	inner := *c.Opener
	inner.Dir, inner.Config, inner.Env = filepath.Join(dir, "repo"), "", command.WithoutPrefix(c.Env, "RALPH_")
	for _, step := range []func() error{
		func() error { return os.Mkdir(inner.Dir, 0o755) },
		func() error { return os.WriteFile(filepath.Join(inner.Dir, "ralph.yaml"), []byte(trySettings), 0o644) },
		func() error { return project.FirstCommit(ctx, inner.Dir, inner.Env) },
	} {
		if err = step(); err != nil {
			_ = os.RemoveAll(dir)
			return nil, "", fmt.Errorf("make a repository for the try: %w", err)
		}
	}
	return &Commands{&inner}, dir, nil
}

// trySettings keep everything in the folder of the try.
const trySettings = `version: 1
learn: off
isolation: {dir: ../trees}
limits: {max_iterations: 1, transient_errors: 1, back_off: 2s}
`

// playTry runs the loop. A spent quota is not waited for.
func (a *Commands) playTry(ctx context.Context, g loop.Agent, t *tried) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	spec, err := launch.Spec(ctx, a.Opener, p, tryTask, launch.Flags{Until: []string{tryGate}, Agent: "human", LoopID: tryID, Multiplier: 1, Timeout: tryTime.String()})
	if err != nil {
		return err
	}
	if spec.Agent = g; spec.Agent.MaxTurns == 0 {
		spec.Agent.MaxTurns = tryTurns
	}
	spec.Limits.Attempt, spec.Limits.Loop = loop.Deadline{Hard: tryTime}, loop.Deadline{Hard: tryTime}
	t.state, err = p.Loops.Start(ctx, spec, engine.Options{}, a.driveTry())
	if err == nil && ctx.Err() == nil && t.state.Reason == loop.ForLogin && t.state.Last() == nil {
		// Another loop missed the login; the person may have logged in since, and asks now.
		t.state, err = p.Loops.Resume(ctx, tryID, engine.Options{Now: true}, a.driveTry())
	}
	if ctx.Err() != nil {
		f := exit.Classify(context.Cause(ctx))
		return &exit.Error{Code: f.Code, Err: errors.New("the try was interrupted; the agent was ended"), Hint: f.Hint}
	}
	if err != nil {
		return err
	}
	t.Loop = view.LoopOf(view.Item{State: t.state}, a.Now()).Object()
	return nil
}

func (a *Commands) driveTry() engine.Drive {
	stops := make(chan engine.Stop, 1)
	return engine.Drive{Rests: true, Stops: stops, Watch: a.watchTry(stops)}
}

// watchTry tells what happens, and ends a loop that begins to wait for a quota,
// or for a person. A passing error is tried again.
func (a *Commands) watchTry(stops chan<- engine.Stop) func(engine.Update) {
	paint := a.Palette(a.Err)
	return func(u engine.Update) {
		if u.Event == nil {
			return
		}
		if ended := u.Before.Status.Terminal(); !a.JSON && !ended {
			for _, l := range view.Lines(u.Before, view.Item{State: u.After}, u.Event, a.Now(), paint) {
				a.Say("%s", l)
			}
		}
		if u.After.Status == loop.Waiting && u.After.Reason != loop.ForRetry && u.After.Reason != loop.ForLock {
			select {
			case stops <- engine.AfterStep:
			default:
			}
		}
	}
}

// text is what was proved, a line each.
func (t *tried) text() string {
	var b strings.Builder
	b.WriteString("\n")
	for _, s := range t.Steps {
		fmt.Fprintf(&b, "%-4s  %-11s  %s\n", s.Level, s.Step, text.Clean(s.What))
		if s.Fix != "" {
			fmt.Fprintf(&b, "%17s  try: %s\n", "", text.Clean(s.Fix))
		}
	}
	if t.Directory != "" {
		fmt.Fprintf(&b, "\nAll of it lies in %s; the agent's own words:\n  ralph -C %s show %s; ralph -C %s logs %s\n",
			t.Directory, command.ShellWord(filepath.Join(t.Directory, "repo")), tryID, command.ShellWord(filepath.Join(t.Directory, "repo")), tryID)
	}
	return b.String()
}

// code is the loop's own, except that nothing is left unfinished: what paused
// was stopped at a limit.
func (t *tried) code() int {
	switch {
	case t.Proved:
		return exit.Done
	case quotaSpent(t.state):
		return exit.Limit
	}
	return exit.Failed
}
