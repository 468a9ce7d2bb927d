package setup

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/trust"
)

// TrustCommand returns ralph trust.
func (a *Commands) TrustCommand() *cobra.Command {
	var list, revoke, adopt bool
	cmd := &cobra.Command{
		Use:     "trust",
		GroupID: command.GroupOther,
		Short:   "Show what this repository's ralph.yaml would run, and allow it",
		Long: `A repository can come from anywhere, and its ralph.yaml names programs to run. Nothing of
it runs before you have allowed exactly that content, once, on this machine. A change of
it asks again and shows what has changed. What you type yourself, such as --until and
--agent-cmd, and your own settings need no permission; the file needs it also where a flag
replaces a part of it, since the rest of it still applies.`,
		Example: `  ralph trust                    # show what ralph.yaml asks for, then allow it
  ralph trust --list             # everything that is allowed on this machine
  ralph trust --revoke           # forget what was allowed for this repository
  ralph trust --revoke ~/other   # and for another one
  ralph trust --store            # adopt the loops of a copied or unpacked repository`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && !revoke:
				return exit.UsageError("ralph -C "+command.ShellWord(args[0])+" trust", "%q: only --revoke takes a path", args[0])
			case list:
				return a.listTrusted()
			case revoke:
				return a.revoke(command.First(args))
			case adopt:
				return a.adoptStore(cmd.Context())
			}
			return a.trust(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list everything that is allowed on this machine")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "forget what was allowed for the repository of a path; loops that run now continue")
	cmd.Flags().BoolVar(&adopt, "store", false, "adopt the loops that came with a copied or unpacked repository, so that they may run")
	cmd.MarkFlagsMutuallyExclusive("list", "revoke", "store")
	return cmd
}

// trusted is ralph trust --json.
type trusted struct {
	Schema     string       `json:"schema"`
	Repository string       `json:"repository"`
	Digest     string       `json:"digest"`
	Allowed    bool         `json:"allowed"`
	Lines      []trust.Line `json:"lines"`
}

// trust shows what the repository asks for, and allows it.
func (a *Commands) trust(ctx context.Context) error {
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	if err := a.Configure(p); err != nil {
		return err
	}
	lines, err := a.Asked(ctx, p)
	if err != nil {
		return err
	}
	t := trusted{"ralph.trusted/v1", p.Root(), trust.Digest(lines), true, lines}
	if project.NeedsNothing(lines) {
		t.Lines = append([]trust.Line{}, lines...)
		return a.tellTrusted(p, t, "nothing here needs to be allowed: "+config.FileName+" runs, sends and opens nothing, or does not exist")
	}
	if a.Allowed(p, lines) {
		return a.tellTrusted(p, t, config.FileName+" is allowed on this machine. It asks for this:\n"+project.Lines(lines)+ciLine(t))
	}
	if !a.JSON {
		fmt.Fprint(a.Err, a.TrustQuestion(p, lines))
	}
	yes, err := a.Confirm(ctx, "Allow exactly this on this machine?")
	if err != nil {
		return err
	}
	if !yes {
		return exit.UsageError("", "nothing was allowed")
	}
	if err := a.AllowLines(p, lines); err != nil {
		return err
	}
	return a.tellTrusted(p, t, "allowed, until it changes\n"+ciLine(t))
}

// ciLine is for machines that are set up by a file.
func ciLine(t trusted) string { return "  in CI: RALPH_TRUST=sha256:" + t.Digest }

func (a *Commands) tellTrusted(p *project.Project, t trusted, message string) error {
	if a.JSON {
		return a.Object(t)
	}
	a.Print(message)
	if a.ForeignStore(p) {
		a.Say("its loops %s, and do not run: %s", a.ForeignReason(p), next.Trust("--store"))
	}
	return nil
}

func (a *Commands) listTrusted() error {
	all, err := a.TrustBook().List()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(struct {
			Schema  string            `json:"schema"`
			Allowed []trust.Allowance `json:"allowed"`
		}{"ralph.trustlist/v1", append([]trust.Allowance{}, all...)})
	}
	if len(all) == 0 {
		a.Print("nothing is allowed on this machine")
		return nil
	}
	var b strings.Builder
	for _, t := range all {
		fmt.Fprintf(&b, "%s  %s, by %s\n%s", text.Line(t.Root), t.At.Local().Format("2006-01-02 15:04"), text.Line(t.By), project.Lines(t.Lines))
	}
	a.Print(b.String())
	return nil
}

// revoke forgets what was allowed for the repository of a path, which may be gone.
func (a *Commands) revoke(path string) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	repository := path
	if place, ok := git.Discover(path); ok {
		repository = place.CommonDir
	} else if all, err := a.TrustBook().List(); err == nil {
		for _, t := range all {
			if t.Root == path {
				repository = t.Repository
			}
		}
	}
	n, err := a.TrustBook().Revoke(repository)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(struct {
			Schema     string `json:"schema"`
			Repository string `json:"repository"`
			Revoked    int    `json:"revoked"`
		}{"ralph.revoked/v1", repository, n})
	}
	if n == 0 {
		a.Print("nothing was allowed for " + text.Line(path))
		return nil
	}
	a.Print("revoked: " + text.Line(path) + " asks again, and its loops do not run before " + next.Trust("--store"))
	return nil
}

// adoptStore lets the loops of a copied or unpacked repository run.
func (a *Commands) adoptStore(ctx context.Context) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	if !a.ForeignStore(p) {
		a.Print("the loops of " + text.Line(p.Root()) + " were made here already")
		return nil
	}
	commands, err := storedCommands(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "The loops of %s %s. These have not ended and would run:\n%s", text.Line(p.Root()), a.ForeignReason(p), commands)
	yes, err := a.Confirm(ctx, "Adopt all loops, plans and approvals of this repository?")
	if err != nil {
		return err
	}
	if !yes {
		return exit.UsageError("", "nothing was adopted")
	}
	if err := a.TrustBook().Adopt(p.Place.CommonDir, p.Home); err != nil {
		return err
	}
	a.Print("adopted")
	return nil
}

// storedCommands shows what the loops of a store that have not ended would run.
func storedCommands(ctx context.Context, p *project.Project) (string, error) {
	loops, err := p.Loops.List(ctx, engine.Filter{Active: true})
	var lines []trust.Line
	for _, l := range loops {
		lines = append(lines, trust.Line{Effect: "agent", Key: l.State.ID, Value: launch.CommandLine(l.State.Agent)})
		for _, c := range l.State.Setup {
			lines = append(lines, trust.Line{Effect: "setup", Key: l.State.ID, Value: c})
		}
		for _, c := range l.State.Teardown {
			lines = append(lines, trust.Line{Effect: "teardown", Key: l.State.ID, Value: c})
		}
		for _, g := range l.State.Gates {
			lines = append(lines, trust.Line{Effect: "gate", Key: l.State.ID, Value: g.Run})
		}
	}
	if len(lines) == 0 {
		return "  none\n", err
	}
	return project.Lines(lines), err
}
