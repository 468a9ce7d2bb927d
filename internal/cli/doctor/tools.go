package doctor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// doctorWaits is how long a tool may take to answer.
const doctorWaits = 5 * time.Second

// checkSleep reports whether the machine stays awake while loops run.
func (c *checkup) checkSleep(ctx context.Context) {
	const check = "sleep"
	if c.project != nil && c.project.Settings != nil && !c.project.Settings.Settings.KeepAwake.On() {
		c.note(check, "the machine may fall asleep while loops run (keep_awake: false)")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, doctorWaits)
	defer cancel()
	tool, err := proc.TryKeepAwake(ctx)
	if err != nil {
		c.note(check, "the machine may fall asleep while loops run: %s", text.Line(err.Error()))
		return
	}
	c.ok(check, "the machine is kept awake while loops run (%s)", tool)
}

// checkGates looks for the programs that the gates' command lines start with.
// No gate is run.
func (c *checkup) checkGates(ctx context.Context) {
	if _, err := proc.LookPath("sh"); err != nil {
		c.missing("gates", "install a POSIX shell", "sh is not on PATH: gates and commands run through it")
		return
	}
	if c.project == nil || c.project.Settings == nil {
		return
	}
	for _, g := range c.project.Settings.Gates() {
		var absent []string
		for _, word := range project.Programs(g.Run) {
			if !project.Known(ctx, word, filepath.Join(c.project.TreeOrHome(), filepath.FromSlash(g.Dir)), worker.Environment(c.Env).Gate(g)) {
				absent = append(absent, word)
			}
		}
		c.gateFound(g, absent)
	}
}

func (c *checkup) gateFound(g loop.Gate, absent []string) {
	names := strings.Join(absent, ", ")
	switch {
	case len(absent) > 0 && len(c.project.Settings.Settings.Isolation.Setup) > 0 && !slices.ContainsFunc(absent, func(name string) bool { return filepath.IsAbs(name) || !strings.Contains(name, "/") }):
		c.note("gate "+g.Name, "%s is not in this tree; isolation.setup runs in the trees of loops before the gate does", names)
	case len(absent) == 0:
		c.ok("gate "+g.Name, "%s", launch.GateLine(g))
	case g.Optional:
		c.note("gate "+g.Name, "%s is not installed: the gate is skipped", names)
	case g.Level == loop.Soft:
		c.warn("gate "+g.Name, "install "+names, "%s is not installed: the gate can only report an error", names)
	default:
		c.missing("gate "+g.Name, "install "+names+", or set optional: on", "%s is not installed", names)
	}
}

// checkProgram warns of other programs called ralph, which a shell or an agent
// may start instead of this one.
func (c *checkup) checkProgram(context.Context) {
	version, _ := command.Build()
	self, err := proc.Self()
	if err != nil {
		c.warn("ralph", "", "%v", err)
		return
	}
	me, _ := os.Stat(self)
	others, first := c.namesakes(me)
	switch unlisted := worker.Environment(c.Env).Unlisted() != ""; {
	case len(others) == 0 && unlisted:
		c.note("ralph", "%s at %s, which is not on PATH: ralph puts it there for its agents; sessions that you start do not find it", version, self)
	case len(others) == 0:
		c.ok("ralph", "%s at %s", version, self)
	case first:
		c.warn("ralph", "put this one first on PATH: "+filepath.Dir(self), "`ralph` in a shell is another program: %s; agents of ralph call %s", others[0], self)
	default:
		c.note("ralph", "%s at %s; there are others behind it on PATH: %s", version, self, strings.Join(others, ", "))
	}
}

// namesakes are the other programs called ralph on PATH; first says that one of
// them comes before this one.
func (c *checkup) namesakes(me os.FileInfo) (others []string, first bool) {
	name := "ralph"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	seen := false
	for _, dir := range filepath.SplitList(c.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		switch {
		case err != nil || info.IsDir() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		case me != nil && os.SameFile(me, info):
			seen = true
		case !slices.Contains(others, path):
			others = append(others, path)
			first = first || !seen
		}
	}
	return others, first
}

// checkSupervision starts a child the way agents are started.
func (c *checkup) checkSupervision(ctx context.Context) {
	dir, err := os.MkdirTemp("", "ralph-doctor-")
	if err != nil {
		c.fail("processes", "", "%v", err)
		return
	}
	defer os.RemoveAll(dir)
	child, err := proc.Start(ctx, proc.Spec{
		RunDir: filepath.Join(dir, "run"), Run: filepath.Base(dir), Argv: []string{"sh", "-c", "exit 0"}, Dir: dir, Env: c.Env,
		Timeout: loop.Deadline{Hard: doctorWaits},
	})
	var exit proc.Exit
	if err == nil {
		exit, err = child.Wait()
	}
	switch {
	case err != nil:
		c.fail("processes", "", "a child could not be started under supervision: %v", err)
	case !exit.OK():
		c.fail("processes", "", "a child under supervision did not end as it should: %s", exit.Reason)
	default:
		c.ok("processes", "%s", supervision(runtime.GOOS))
	}
}

// supervision says what ends with a run (package proc).
func supervision(system string) string {
	switch system {
	case "linux":
		return "whatever an agent or a gate starts ends with it, daemons too, also when ralph is killed"
	case "windows":
		return "what an agent or a gate starts is in a job object and ends with ralph; there is no polite stop"
	}
	return "what an agent or a gate starts ends with it, except a daemon that left both its process group and its parents"
}
