package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/demo"
	"ralph/internal/proc"
)

// demonstration is a demo with its stage set. Its app works in the throw-away
// repository, under an environment of its own.
type demonstration struct {
	*Commands
	project *project.Project
	variant demo.Variant
	// dir holds all of it.
	dir string
	// keep: the next demonstration leaves the directory alone.
	keep bool
	// paced: with pauses to read, one story after the other.
	paced bool
	// agent is the real one; empty: the script.
	agent string
}

// stage makes the repository and opens it.
func (a *Commands) stage(ctx context.Context, f demoFlags, paced bool) (*demonstration, error) {
	v, bin, err := a.variant(ctx, f.with)
	if err != nil {
		return nil, err
	}
	dir, err := a.newPlace()
	if err != nil {
		return nil, err
	}
	inner := New(a.runner.Copy(), a.runPlan)
	inner.Env, inner.Config = a.demoEnv(dir, bin, f.agent == ""), ""
	inner.Unlisted = true
	inner.TrustAll() // the project is the demonstration's own
	inner.Dir = filepath.Join(dir, demo.ProjectDir)
	d := &demonstration{Commands: inner, variant: v, dir: dir, paced: paced, keep: f.keep, agent: f.agent}
	if err := d.build(ctx); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	deleteOldPlaces(filepath.Dir(dir))
	return d, nil
}

func (d *demonstration) build(ctx context.Context) (err error) {
	if err = d.variant.Write(d.dir, d.paced); err != nil {
		return err
	}
	if err = project.FirstCommit(ctx, d.Dir, d.Env); err != nil {
		return err
	}
	if d.project, err = d.Open(ctx, false); err != nil || d.agent == "" {
		return err
	}
	if err = d.confirmCost(ctx); err != nil {
		d.project.Close()
	}
	return err
}

// leave closes the demonstration. From now on the next one may delete it.
func (d *demonstration) leave(keep bool) {
	d.project.Close()
	if !keep {
		releasePlace(d.dir)
	}
}

// confirmCost asks before a real agent starts.
func (d *demonstration) confirmCost(ctx context.Context) error {
	agent, err := launch.Agent(d.Opener, d.project, launch.Flags{Agent: d.agent})
	if err != nil {
		return err
	}
	attempts := 0
	for _, s := range demo.Stories() {
		attempts += s.MaxIterations
	}
	d.Say("%s is no script of ours. It will work on %d small tasks, %d attempts at most. That\n"+
		"costs what your account with its provider says; how much, ralph cannot know.", agent.Name, len(demo.Stories()), attempts)
	yes, err := d.Confirm(ctx, fmt.Sprintf("start %s?", agent.Name))
	if err == nil && !yes {
		err = exit.UsageError("ralph demo, without --agent, costs nothing", "nothing was started")
	}
	return err
}

// demoEnv is the environment of the demonstration. A scripted one is the same
// for everybody: no setting of a person's changes how it ends. A real agent
// needs its own settings. The test runner in bin comes first on PATH.
func (a *Commands) demoEnv(dir, bin string, scripted bool) []string {
	env := command.WithoutPrefix(a.Env, "RALPH_")
	if bin != "" {
		env = append(env, "PATH="+bin+string(filepath.ListSeparator)+a.Getenv("PATH"))
	}
	if scripted {
		env = append(command.WithoutPrefix(env, "XDG_CONFIG_HOME="), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	}
	return env
}

// demoProbeTime is how long a test runner may need to say that it is there.
const demoProbeTime = 10 * time.Second

// variant is the first whose test runner works here, or the one asked for, and
// the directory of that runner.
func (a *Commands) variant(ctx context.Context, asked string) (v demo.Variant, bin string, err error) {
	var names []string
	for _, v := range demo.Variants() {
		if asked != "" && asked != v.Name {
			continue
		}
		names = append(names, v.Name)
		if bin, ok := a.works(ctx, v); ok {
			return v, bin, nil
		}
	}
	if len(names) == 0 {
		return demo.Variant{}, "", exit.UsageError("--with python3, node or sh", "no variant of the demonstration is for %q", asked)
	}
	return demo.Variant{}, "", &exit.Error{
		Code: exit.Missing, Err: fmt.Errorf("nothing to run the demonstration's tests with: %s is missing or does not work", strings.Join(names, ", ")),
		Hint: "install python3 3.8 or newer, or node 20 or newer",
	}
}

// works asks the program itself: on PATH there may be a stub for it.
func (a *Commands) works(ctx context.Context, v demo.Variant) (bin string, ok bool) {
	program, err := proc.LookPath(v.Probe[0])
	if err != nil {
		return "", false
	}
	ctx, cancel := context.WithTimeout(ctx, demoProbeTime)
	defer cancel()
	out, err := proc.Run(ctx, proc.Command{Argv: append([]string{program}, v.Probe[1:]...), Dir: os.TempDir(), Env: a.Env})
	if file := strings.TrimSpace(string(out.Stdout)); filepath.IsAbs(file) {
		bin = filepath.Dir(file)
	}
	return bin, err == nil && out.Code == 0
}
