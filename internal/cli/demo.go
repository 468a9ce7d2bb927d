package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/demo"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

type demoFlags struct {
	speed      string
	keep       bool
	agent      string
	showScript bool
	// with forces a variant of the project; the default is the first that works.
	with string
}

func (a *app) demoCommand() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:     "demo",
		GroupID: groupStart,
		Short:   "See it work on a throw-away repository, without any agent",
		Long: `See ralph work on a throw-away repository: the real engine, real git, real tests. The
agent is a script, so this needs no AI, no network and no money. One task passes after
a change of strategy; the other fails on purpose. Exit code 0: both ended as announced.

Nothing but a directory for temporary files is written. The next demo deletes it,
unless --keep was given.`,
		Example: `  ralph demo                   # about 15 seconds, to read along
  ralph demo --speed fast      # the same without pauses
  ralph demo --show-script     # what the scripted agent does
  ralph demo --agent claude    # the same tasks for a real agent; asks first`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.demo(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.speed, "speed", "", "`SPEED`: normal, with pauses to read, or fast (default: normal on a terminal)")
	fl.BoolVar(&f.keep, "keep", false, "let the next demo leave this one's directory alone")
	fl.StringVar(&f.agent, "agent", "", "let the real agent `NAME` do the tasks; this may cost money")
	fl.BoolVar(&f.showScript, "show-script", false, "print what the scripted agent does, and start nothing")
	fl.StringVar(&f.with, "with", "", "use `RUNNER` for the tests: python3, node or sh")
	_ = fl.MarkHidden("with")
	cmd.MarkFlagsMutuallyExclusive("agent", "show-script")
	return cmd
}

func (a *app) demo(ctx context.Context, f demoFlags) error {
	paced, err := a.paced(f)
	if err != nil {
		return err
	}
	v, err := a.variant(ctx, f.with)
	if err != nil {
		return err
	}
	if f.showScript {
		return a.showScript(v)
	}
	d, err := a.stage(ctx, v, paced, f.agent)
	if err != nil {
		return err
	}
	defer d.leave(f.keep)
	return d.perform(ctx)
}

// paced says whether to go slowly: somebody reads along, or asked for it.
func (a *app) paced(f demoFlags) (bool, error) {
	switch f.speed {
	case "":
		return a.isTerminal(a.Err) && !a.quiet, nil
	case "normal", "fast":
		return f.speed == "normal", nil
	}
	return false, usage("--speed fast or --speed normal", "--speed %q is no speed", f.speed)
}

// demonstration is a demo with its stage set. Its app works in the throw-away
// repository, under an environment of its own.
type demonstration struct {
	*app
	project *project
	variant demo.Variant
	// dir holds all of it.
	dir   string
	paced bool
	// agent is the real one; empty: the script.
	agent string

	screen *screen
	stops  <-chan engine.Stop
	heard  *signals
}

// stage makes the repository and opens it.
func (a *app) stage(ctx context.Context, v demo.Variant, paced bool, agent string) (*demonstration, error) {
	dir, err := newPlace()
	if err != nil {
		return nil, err
	}
	inner := *a
	inner.Env, inner.config = demoEnv(a.Env, dir, agent == ""), ""
	inner.Dir = filepath.Join(dir, demo.ProjectDir)
	d := &demonstration{app: &inner, variant: v, dir: dir, paced: paced, agent: agent}
	if err := d.open(ctx); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return d, nil
}

func (d *demonstration) open(ctx context.Context) (err error) {
	if err = d.variant.Write(d.dir, d.paced); err != nil {
		return err
	}
	if err = firstCommit(ctx, d.Dir, d.Env); err != nil {
		return err
	}
	if d.project, err = d.app.open(ctx, false); err != nil {
		return err
	}
	if d.agent == "" {
		return nil
	}
	if err = d.confirmCost(ctx); err != nil {
		d.project.close()
	}
	return err
}

// leave closes the demonstration. From now on the next one may delete it.
func (d *demonstration) leave(keep bool) {
	d.project.close()
	if !keep {
		releasePlace(d.dir)
	}
}

// perform plays the stories one after the other and judges them by what is on
// record.
func (d *demonstration) perform(ctx context.Context) error {
	d.stops, d.heard = d.listen()
	defer d.heard.forget()
	d.screen = d.app.screen(false)
	d.banner()
	d.breathe(2 * time.Second)
	for i, s := range demo.Stories() {
		d.announce(i, s)
		if err := d.play(ctx, s); err != nil {
			return err
		}
		if d.heard.any() {
			return d.interrupted(s)
		}
		d.breathe(2 * time.Second)
	}
	return d.conclude(ctx)
}

func (d *demonstration) play(ctx context.Context, s demo.Story) error {
	spec, err := d.spec(ctx, s)
	if err != nil {
		return err
	}
	_, err = d.project.engine.Start(ctx, spec, engine.StartOptions{}, engine.Drive{Watch: d.watch, Stops: d.stops})
	d.screen.clear()
	return err
}

// spec is that of `ralph run` with a few flags, and shorter names.
func (d *demonstration) spec(ctx context.Context, s demo.Story) (loop.Spec, error) {
	f := runFlags{
		until: []string{d.variant.Test(s)}, iterations: strconv.Itoa(s.MaxIterations),
		agent: d.agent, loopID: s.Name, multiplier: 1,
	}
	if d.agent == "" {
		f.agent = "script:" + demo.ScriptFile(d.dir, s)
	}
	if err := d.configure(d.project, f.settings()...); err != nil {
		return loop.Spec{}, err
	}
	spec, err := d.app.spec(ctx, d.project, s.Task, f)
	spec.Task.ID = s.Name
	if d.agent == "" {
		spec.Agent.Name = "demo"
	}
	return spec, err
}

// breathe leaves a person time to read.
func (d *demonstration) breathe(t time.Duration) {
	if !d.paced || d.heard.any() {
		return
	}
	select {
	case <-time.After(t):
	case <-d.stops:
	}
}

// interrupted ends a demonstration that a person stopped.
func (d *demonstration) interrupted(s demo.Story) error {
	d.say("\nThe demonstration was interrupted. To go on with it:\n  cd %s && ralph resume %s", shellWord(d.Dir), s.Name)
	if d.heard.terminated {
		return ends(exitTerminated)
	}
	return ends(exitInterrupted)
}

// confirmCost asks before a real agent starts.
func (d *demonstration) confirmCost(ctx context.Context) error {
	agent, err := d.app.agent(d.project, runFlags{agent: d.agent})
	if err != nil {
		return err
	}
	attempts := 0
	for _, s := range demo.Stories() {
		attempts += s.MaxIterations
	}
	d.say("%s is no script: it will work on %d small tasks, with up to %d attempts in all, and\n"+
		"costs what your account with its provider says. ralph cannot tell how much that is.", agent.Name, len(demo.Stories()), attempts)
	yes, err := d.confirm(ctx, fmt.Sprintf("Start %s on the demonstration?", agent.Name))
	if err == nil && !yes {
		err = usage("ralph demo, without --agent, costs nothing", "not started")
	}
	return err
}
