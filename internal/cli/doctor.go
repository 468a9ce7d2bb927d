package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/report"
)

func (a *app) doctorCommand() *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use:     "doctor",
		GroupID: groupStart,
		Short:   "Check the tools, the repository and ralph's memory of it",
		Long: `Check the tools, the repository and ralph's memory of it. Nothing is changed
without --fix, which only writes the views in .ralph again. Outside of a
repository the tools alone are checked.

Exit code: 0 all is well or there are only warnings, 69 a tool is missing that a
loop here would need, 1 something else is wrong.`,
		Example: `  ralph doctor
  ralph doctor --fix     # also write the views in .ralph again
  ralph doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, done := a.interruptible(cmd.Context())
			defer done()
			return a.doctor(ctx, fix)
		},
	}
	cmd.Flags().BoolVar(&fix, "fix", false, "write the views again where they differ from the database")
	return cmd
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
	*app
	project  *project
	fix      bool
	findings []finding
}

func (a *app) doctor(ctx context.Context, fix bool) error {
	c := &checkup{app: a, fix: fix}
	for _, check := range []func(context.Context){
		c.checkGit, c.checkRepository, c.checkSettings, c.checkGates, c.checkAgents,
		c.checkPlaces, c.checkMemory, c.checkForeign, c.checkProgram, c.checkSupervision, c.checkSandbox,
	} {
		if check(ctx); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if a.json {
		if err := a.object(c.object()); err != nil {
			return err
		}
	} else {
		a.print(c.text())
	}
	return ends(c.code())
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
			return exitMissing
		}
	}
	if c.count(broken) > 0 {
		return exitFailed
	}
	return exitDone
}

// text is a line for each finding and one for what can be done about it.
func (c *checkup) text() string {
	var b strings.Builder
	for _, f := range c.findings {
		if c.quiet && (f.Level == healthy || f.Level == noted) {
			continue
		}
		fmt.Fprintf(&b, "%-4s  %-11s  %s\n", f.Level, f.Check, strings.ReplaceAll(report.Clean(f.What), "\n", "\n"+strings.Repeat(" ", 19)))
		if f.Fix != "" {
			fmt.Fprintf(&b, "%17s  try: %s\n", "", report.Clean(f.Fix))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", c.verdict())
	return b.String()
}

func (c *checkup) verdict() string {
	fails, warns := c.count(broken), c.count(warned)
	if fails+warns == 0 {
		return "All is well."
	}
	return fmt.Sprintf("%d wrong, %d to look at.", fails, warns)
}

func (c *checkup) object() any {
	root := ""
	if c.project != nil {
		root = c.project.root()
	}
	return map[string]any{
		"schema": "ralph.doctor/v1", "repository": root, "healthy": c.count(broken) == 0,
		"counts":   map[health]int{healthy: c.count(healthy), noted: c.count(noted), warned: c.count(warned), broken: c.count(broken)},
		"findings": append([]finding{}, c.findings...),
	}
}
