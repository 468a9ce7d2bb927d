package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/text"
)

func (a *Commands) DoctorCommand() *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: command.GroupStart,
		Short:   "Check the tools, the repository and what ralph stores about it",
		Long: `Check the tools, the repository and what ralph stores about it. Nothing is changed
without --fix, which writes the views in .ralph again and restores damaged records
of loops and plans; what it replaces is kept in the database. Outside of a
repository the tools alone are checked. No agent is started: the account
that pays for its runs is read from its files and from the environment.

--agent asks a program for its version. An agent that ralph.yaml defines is asked
only after ralph trust allowed that file.

With --try the agent does one small task in a repository made for it, to prove
that it answers, that it can write, that ralph can commit and that a gate runs.
That may cost money, so it asks first. The exit code is then 0 when all of it is
proved, 1 when not, 4 when the agent's quota is spent.

Exit code: 0 all is well or there are only warnings, 69 a tool is missing that a
loop here would need, 1 something else is wrong.`,
		Example: `  ralph doctor
  ralph doctor --fix                   # also repair ralph's records and views
  ralph doctor --agent claude          # this agent only
  ralph doctor --agent claude --try    # one small real task; asks first, it may cost
  ralph doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, done := a.Interruptible(cmd.Context())
			defer done()
			return a.doctor(ctx, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.fix, "fix", false, "restore damaged records; write views that differ from the database again; remove broken refs of ralph's own")
	fl.StringVar(&f.agent, "agent", "", "look at the agent `NAME` only")
	fl.BoolVar(&f.try, "try", false, "let it do one small task; this may cost money")
	cmd.MarkFlagsMutuallyExclusive("fix", "agent")
	return cmd
}

type doctorFlags struct {
	fix, try bool
	agent    string
}

// health is how bad a finding is. A note is a fact to know that nothing can or
// need be done about.
type health string

const (
	healthy health = "ok"
	noted   health = "note"
	warned  health = "warn"
	broken  health = "fail"
)

// finding is one line of the doctor's.
type finding struct {
	Check string `json:"check"`
	Level health `json:"level"`
	What  string `json:"what"`
	// Fix is a command to type, or a sentence where there is none.
	Fix string `json:"fix,omitempty"`
	// Missing: a tool is not there.
	Missing bool `json:"missing,omitempty"`
}

// checkup collects findings. project is nil outside of a repository, its
// settings are nil while ralph.yaml cannot be read.
type checkup struct {
	*Commands
	project  *project.Project
	fix      bool
	findings []finding
	// agents are the installed ones; one: only the one that was asked for.
	agents []agentFacts
	one    bool
}

func (a *Commands) doctor(ctx context.Context, f doctorFlags) error {
	if f.try && f.agent == "" {
		return exit.UsageError("ralph doctor --agent NAME --try", "--try needs the agent that it is to try")
	}
	c := &checkup{Commands: a, fix: f.fix}
	if f.agent != "" {
		return c.oneAgent(ctx, f)
	}
	for _, check := range []func(context.Context){
		c.checkGit, c.checkRepository, c.checkSettings, c.checkTrust, c.checkGates, c.checkAgents,
		c.checkPlaces, c.checkDatabase, c.checkLimits, c.checkNotify, c.checkForeign, c.checkProgram, c.checkSupervision, c.checkSleep, c.checkSandbox, c.checkRooms, c.checkTemporary,
	} {
		if check(ctx); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return c.tell(nil)
}

// tell prints the findings, and what a try proved.
func (c *checkup) tell(t *tried) error {
	if c.JSON {
		o := c.object()
		if t != nil {
			o["try"] = t
		}
		if err := c.Object(o); err != nil {
			return err
		}
	} else if t == nil {
		c.Print(c.text())
	} else {
		c.Print(t.text())
	}
	if t != nil {
		return exit.With(t.code())
	}
	return exit.With(c.code())
}

func (c *checkup) ok(check, format string, args ...any) {
	c.add(finding{Check: check, Level: healthy, What: fmt.Sprintf(format, args...)})
}

func (c *checkup) note(check, format string, args ...any) {
	c.add(finding{Check: check, Level: noted, What: fmt.Sprintf(format, args...)})
}

func (c *checkup) warn(check, fix, format string, args ...any) {
	c.add(finding{Check: check, Level: warned, What: fmt.Sprintf(format, args...), Fix: fix})
}

func (c *checkup) fail(check, fix, format string, args ...any) {
	c.add(finding{Check: check, Level: broken, What: fmt.Sprintf(format, args...), Fix: fix})
}

func (c *checkup) missing(check, fix, format string, args ...any) {
	c.add(finding{Check: check, Level: broken, What: fmt.Sprintf(format, args...), Fix: fix, Missing: true})
}

func (c *checkup) add(f finding) { c.findings = append(c.findings, f) }

func (c *checkup) count(h health) int {
	n := 0
	for _, f := range c.findings {
		if f.Level == h {
			n++
		}
	}
	return n
}

func (c *checkup) code() int {
	for _, f := range c.findings {
		if f.Missing {
			return exit.Missing
		}
	}
	if c.count(broken) > 0 {
		return exit.Failed
	}
	return exit.Done
}

func (c *checkup) text() string { return c.lines() + "\n" + c.verdict() + "\n" }

// columns is the width that findings are folded to on a terminal.
const columns = 80

// folded are the lines of a finding. For programs that read them none is folded.
func (c *checkup) folded(what string, room int) (out []string) {
	whole := !c.IsTerminal(c.Out)
	for line := range strings.SplitSeq(text.Clean(what), "\n") {
		if whole || text.Width(line) <= room {
			out = append(out, line)
		} else {
			out = append(out, text.WrapWords(line, room)...)
		}
	}
	return out
}

// lines are one for each finding and one for what can be done about it.
func (c *checkup) lines() string {
	var b strings.Builder
	width := 11
	for _, f := range c.findings {
		width = max(width, len(f.Check))
	}
	for _, f := range c.findings {
		if c.Quiet && (f.Level == healthy || f.Level == noted) {
			continue
		}
		fmt.Fprintf(&b, "%-4s  %-*s  %s\n", f.Level, width, f.Check, strings.Join(c.folded(f.What, columns-width-8), "\n"+strings.Repeat(" ", width+8)))
		if f.Fix != "" {
			fmt.Fprintf(&b, "%*s  try: %s\n", width+6, "", text.Clean(f.Fix))
		}
	}
	return b.String()
}

func (c *checkup) verdict() string {
	fails, warns := c.count(broken), c.count(warned)
	if fails+warns == 0 {
		return "All is well."
	}
	return fmt.Sprintf("%d wrong, %d to look at.", fails, warns)
}

func (c *checkup) object() map[string]any {
	root := ""
	if c.project != nil {
		root = c.project.Root()
	}
	return map[string]any{
		"schema": "ralph.doctor/v1", "repository": root, "healthy": c.count(broken) == 0,
		"counts":   map[health]int{healthy: c.count(healthy), noted: c.count(noted), warned: c.count(warned), broken: c.count(broken)},
		"findings": append([]finding{}, c.findings...), "agents": append([]agentFacts{}, c.agents...),
	}
}
