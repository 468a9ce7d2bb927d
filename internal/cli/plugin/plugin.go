package plugin

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/git"
	"ralph/internal/plugin"
)

// pluginFlags are what ralph plugin was told.
type pluginFlags struct {
	scope string
	dry   bool
}

func (a *Commands) PluginCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "plugin",
		GroupID: command.GroupIntegrations,
		Short:   "Teach coding agents about ralph, in their own settings",
		Example: `  ralph plugin install claude --dry-run    # what would change, as a diff
  ralph plugin install claude              # for all who work in this repository
  ralph plugin install codex --scope user  # for you, everywhere
  ralph plugin print gemini                # to put it there yourself
  ralph plugin uninstall claude            # takes out exactly what was put in`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return exit.UsageError("ralph plugin --help", "say what to do: install, uninstall or print")
		},
	}
	cmd.AddCommand(
		a.pluginVerb("install", "Put in what is missing; nothing of yours is lost", plugin.Install, a.installedTargets),
		a.pluginVerb("uninstall", "Take out exactly what install put in", plugin.Uninstall, plugin.Targets),
		a.pluginPrintCommand(),
	)
	return cmd
}

// work is one of the two things that can be done with a plan.
type work func(p plugin.Plan, dry bool) ([]plugin.Change, error)

func (a *Commands) pluginVerb(verb, short string, do work, usual func() []plugin.Target) *cobra.Command {
	var f pluginFlags
	cmd := &cobra.Command{
		Use:       verb + " [claude|codex|gemini|opencode|agents-md]...",
		Short:     short,
		Example:   "  ralph plugin " + verb + " claude\n  ralph plugin " + verb + " codex gemini --scope user --dry-run",
		ValidArgs: targetNames(plugin.Targets()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.plug(cmd.Context(), verb, args, f, do, usual)
		},
	}
	a.scopeFlag(cmd, &f)
	cmd.Flags().BoolVar(&f.dry, "dry-run", false, "write nothing; show the differences")
	return cmd
}

func (a *Commands) scopeFlag(cmd *cobra.Command, f *pluginFlags) {
	cmd.Flags().StringVar(&f.scope, "scope", string(plugin.Project), "`WHOM` it is for: project, or user (you)")
}

// installedTargets are the agents whose programs are there.
func (a *Commands) installedTargets() []plugin.Target {
	var found []plugin.Target
	for _, t := range plugin.Targets() {
		if t != plugin.AgentsMD && a.OnPath(string(t)) {
			found = append(found, t)
		}
	}
	return found
}

func targetNames(targets []plugin.Target) []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = string(t)
	}
	return names
}

// plans are the plans of the named targets, or of the usual ones where none is
// named. Those of the usual ones that have no such scope are left out.
func (a *Commands) plans(ctx context.Context, args []string, f pluginFlags, usual func() []plugin.Target) ([]plugin.Plan, error) {
	scope := plugin.Scope(f.scope)
	if scope != plugin.Project && scope != plugin.User {
		return nil, exit.UsageError("--scope user", "--scope %s: it is project or user", f.scope)
	}
	places, err := a.places(ctx)
	if err != nil {
		return nil, err
	}
	targets := usual()
	if len(args) > 0 {
		targets = nil
	}
	for _, name := range args {
		t, err := plugin.Known(name)
		if err != nil {
			return nil, exit.UsageError("ralph plugin --help", "%v", err)
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return nil, exit.UsageError("name one: ralph plugin install "+strings.Join(targetNames(plugin.Targets()), "|"), "none of the agents is installed here")
	}
	var plans []plugin.Plan
	for _, t := range targets {
		p, err := plugin.For(t, scope, places)
		if n, ok := errors.AsType[*plugin.NotHereError](err); ok {
			if len(args) == 0 && scope == plugin.User {
				continue
			}
			return nil, exit.UsageError(n.Hint, "%v", n)
		}
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// places are the folders of this repository, if it is one, and of this person.
func (a *Commands) places(ctx context.Context) (plugin.Places, error) {
	home := a.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return plugin.Places{}, exit.UsageError("set HOME", "HOME is not an absolute path, so your settings cannot be found")
	}
	dir := func(variable string, otherwise ...string) string {
		if v := a.Getenv(variable); filepath.IsAbs(v) {
			return v
		}
		return filepath.Join(append([]string{home}, otherwise...)...)
	}
	p := plugin.Places{
		Home: home, ClaudeDir: dir("CLAUDE_CONFIG_DIR", ".claude"), CodexDir: dir("CODEX_HOME", ".codex"), GeminiDir: filepath.Join(home, ".gemini"),
		Config: dir("XDG_CONFIG_HOME", ".config"), Data: dir("XDG_DATA_HOME", ".local", "share"),
	}
	repo, err := git.OpenEnv(ctx, a.Dir, a.Env)
	if errors.Is(err, git.ErrNotRepository) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.Project, p.State = repo.Root, filepath.Join(repo.CommonDir, "ralph")
	return p, nil
}

// plug does it for every plan, or for none: each is tried first.
func (a *Commands) plug(ctx context.Context, verb string, args []string, f pluginFlags, do work, usual func() []plugin.Target) error {
	plans, err := a.plans(ctx, args, f, usual)
	if err != nil {
		return err
	}
	for _, p := range plans {
		if _, err := do(p, true); err != nil {
			return refused(err)
		}
	}
	o := pluginObject{Schema: pluginSchema, Action: verb, Scope: f.scope, DryRun: f.dry, Targets: []pluginTarget{}}
	for _, p := range plans {
		changes, err := do(p, f.dry)
		if err != nil {
			return refused(err)
		}
		o.Targets = append(o.Targets, targetOf(p, changes, f.dry, verb == "install"))
	}
	if verb == "install" && !a.OnPath("ralph") {
		o.Warning = "ralph is not on PATH: hooks and tools find nothing, and no session is held"
	}
	if a.JSON {
		return a.Object(o)
	}
	a.Print(o.words(a.Dir))
	return nil
}

// refused is about a file that could not be dealt with; nothing was lost.
func refused(err error) error {
	if f, ok := errors.AsType[*plugin.FileError](err); ok {
		return &exit.Error{Code: exit.Config, Err: f, Hint: "put the file right, or do it by hand: ralph plugin print"}
	}
	return err
}

func (a *Commands) pluginPrintCommand() *cobra.Command {
	var f pluginFlags
	cmd := &cobra.Command{
		Use:       "print [claude|codex|gemini|opencode|agents-md]...",
		Short:     "Print what install would put where",
		Example:   "  ralph plugin print codex\n  ralph plugin print claude --scope user --json",
		ValidArgs: targetNames(plugin.Targets()),
		RunE: func(cmd *cobra.Command, args []string) error {
			plans, err := a.plans(cmd.Context(), args, f, plugin.Targets)
			if err != nil {
				return err
			}
			o := pluginObject{Schema: pluginSchema, Action: "print", Scope: f.scope, Targets: []pluginTarget{}}
			for _, p := range plans {
				files, err := plugin.Contents(p)
				if err != nil {
					return fmt.Errorf("print %s: %w", p.Target, err)
				}
				t := pluginTarget{Name: string(p.Target), Files: []pluginFile{}, Notes: p.Notes}
				for _, c := range files {
					t.Files = append(t.Files, pluginFile{Path: c.Path, Text: c.Text})
				}
				o.Targets = append(o.Targets, t)
			}
			if a.JSON {
				return a.Object(o)
			}
			a.Print(o.contents(a.Dir))
			return nil
		},
	}
	a.scopeFlag(cmd, &f)
	return cmd
}
