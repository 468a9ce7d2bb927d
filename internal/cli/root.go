package cli

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/agentloop"
	"ralph/internal/cli/command"
	"ralph/internal/cli/demo"
	"ralph/internal/cli/doctor"
	"ralph/internal/cli/finish"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/learn"
	"ralph/internal/cli/migrate"
	"ralph/internal/cli/move"
	"ralph/internal/cli/notify"
	"ralph/internal/cli/plan"
	"ralph/internal/cli/plugin"
	"ralph/internal/cli/project"
	"ralph/internal/cli/resume"
	"ralph/internal/cli/run"
	"ralph/internal/cli/serve"
	"ralph/internal/cli/setup"
	"ralph/internal/cli/status"
	"ralph/internal/cli/steer"
	"ralph/internal/cli/watch"
	"ralph/internal/cli/web"
	"ralph/internal/cli/worker"
	"ralph/internal/config"
	"ralph/internal/git"
)

// Commands is the whole command tree, for programs that write about it.
func Commands() *cobra.Command {
	return newApp(foreground.New(&project.Opener{Terminal: command.Terminal{Now: time.Now}}), nil).root(nil)
}

// root is the command tree for a command line: all of it, but where the line begins with
// a command, that one only. The flags of all others take a third of the program's start.
func (a *app) root(args []string) *cobra.Command {
	keepOrder()
	var dir, engineURL string
	var trusted, version bool
	root := &cobra.Command{
		Use:   "ralph",
		Short: "Run coding agents in loops until checks they cannot talk their way past are green",
		Example: `  ralph demo                                          # see it work, without any agent
  ralph run "fix the failing tests" --until "go test ./..."
  ralph status                                        # what runs here
  ralph show ID --evidence                            # why it passed, or did not
  ralph accept ID                                     # merge proved work`,
		Args:          command.NoSuch,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.at(dir); err != nil {
				return err
			}
			if trusted {
				a.TrustAll()
			}
			a.forwardToSupervisor(cmd)
			if err := a.admit(cmd); err != nil {
				return err
			}
			if err := config.Named(a.ExplicitConfig()); err != nil {
				return err
			}
			return a.selectEngine(cmd, engineURL)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.printVersion()
			}
			err := status.New(a.runner).Overview(cmd.Context())
			if errors.Is(err, git.ErrNotRepository) && !a.JSON {
				return cmd.Help()
			}
			return err
		},
	}
	root.SetFlagErrorFunc(badFlag)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpFunc(showHelp)
	root.Flags().BoolVarP(&version, "version", "V", false, "print the version, as ralph version")
	f := root.PersistentFlags()
	f.StringVarP(&dir, "dir", "C", "", "work in `DIR` instead of the current directory")
	f.BoolVar(&a.JSON, "json", false, "write one JSON object to standard output")
	f.StringVar(&a.Config, "config", "", "read `FILE` instead of ralph.yaml")
	f.StringVar(&engineURL, "engine", "", "the loops that a team shares on the server at `URL`, or local: docs/team.md (also: RALPH_ENGINE)")
	f.BoolVarP(&a.Quiet, "quiet", "q", false, "no progress and no notices")
	f.CountVarP(&a.Verbose, "verbose", "v", "say more; twice for still more``")
	f.BoolVar(&a.NoColor, "no-color", false, "no colours (also: NO_COLOR)")
	f.BoolVarP(&a.Yes, "yes", "y", false, "answer confirmations with yes; what a repository wants to run needs --trust, commands of a plan --trust-plan")
	f.BoolVar(&a.NoInput, "no-input", false, "never ask; what would ask is an error")
	f.BoolVar(&trusted, "trust", false, "run what ralph.yaml and the stored loops ask for, this time (also: RALPH_TRUST=1)")
	root.AddGroup(command.Groups()...)
	root.SetHelpCommandGroupID(command.GroupOther)
	root.SetCompletionCommandGroupID(command.GroupOther)
	verbs := a.commands()
	if called := slices.IndexFunc(verbs, func(v verb) bool { return len(args) > 0 && args[0] == v.name }); called >= 0 {
		root.CompletionOptions.DisableDefaultCmd = true
		root.AddCommand(verbs[called].build())
		return root
	}
	for _, v := range verbs {
		root.AddCommand(v.build())
	}
	root.AddCommand(topics()...)
	a.strictHelp(root)
	return root
}

// keepOrder makes help list commands as they were added: cobra sorts them by name, unless
// its only switch is off.
var keepOrder = sync.OnceFunc(func() { cobra.EnableCommandSorting = false })

// verb is a command by its name, built when it is needed.
type verb struct {
	name  string
	build func() *cobra.Command
}

// commands are the verbs, in the order of the help.
func (a *app) commands() []verb {
	again, agents, end, files := resume.New(a.runner), agentloop.New(a.Opener), finish.New(a.Opener), plan.New(a.Opener)
	pages, send, settings, show := web.New(a.runner, a.commandCode), steer.New(a.runner), setup.New(a.Opener), status.New(a.runner)
	return []verb{
		{"demo", demo.New(a.runner, runPlan).DemoCommand},
		{"init", settings.InitCommand},
		{"doctor", doctor.New(a.Opener).DoctorCommand},
		{"run", run.New(a.runner).RunCommand},
		{"plan", files.PlanCommand},
		{"retry", again.RetryCommand},
		{"wait", show.WaitCommand},
		{"advise", files.AdviseCommand},
		{"status", show.StatusCommand},
		{"watch", watch.New(a.runner, a.commandCode).WatchCommand},
		{"web", pages.WebCommand},
		{"show", show.ShowCommand},
		{"logs", show.LogsCommand},
		{"report", show.ReportCommand},
		{"answer", send.AnswerCommand},
		{"steer", send.SteerCommand},
		{"pause", send.PauseCommand},
		{"resume", again.ResumeCommand},
		{"abort", send.AbortCommand},
		{"move", move.New(a.Opener, a.linked).MoveCommand},
		{"accept", end.AcceptCommand},
		{"archive", end.ArchiveCommand},
		{"clean", end.CleanCommand},
		{"loop", agents.LoopCommand},
		{"agent-loop", agents.AgentLoopCommand},
		{"ask", agents.AskCommand},
		{"dispute", agents.DisputeCommand},
		{"learn", learn.New(a.Opener).LearnCommand},
		{"hook", agents.HookCommand},
		{"serve", serve.New(a.runner, web.New(a.runner, a.commandCode)).ServeCommand},
		{"worker", worker.New(a.Opener).WorkerCommand},
		{"notify", notify.New(a.Opener).NotifyCommand},
		{"mcp", a.mcpCommand},
		{"plugin", plugin.New(&a.Terminal).PluginCommand},
		{"config", func() *cobra.Command { return settings.ConfigCommand(a.configSchemaCommand()) }},
		{"trust", settings.TrustCommand},
		{"migrate", migrate.New(a.Opener).MigrateCommand},
		{"version", a.versionCommand},
	}
}

func runPlan(ctx context.Context, r *foreground.Runner, path string, f launch.Flags) error {
	return run.New(r).RunPlan(ctx, path, f)
}

// strictHelp makes "ralph help WORD" refuse a word that is no command or topic.
func (a *app) strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil || help == root {
		return
	}
	show := help.Run
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if found, rest, err := root.Find(args); err != nil || len(rest) > 0 && found == root {
			return command.NoSuch(root, args)
		} else if len(rest) > 0 && found.HasSubCommands() {
			return command.NoSuch(found, rest)
		}
		show(cmd, args)
		return nil
	}
	help.Run = nil
}

const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{range $group := .Groups}}
{{.Title}}:{{range $cmds}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{range $cmds}}{{if and (eq .GroupID "") .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Global flags:
{{.InheritedFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}{{if .HasHelpSubCommands}}
Topics:{{range .Commands}}{{if .IsAdditionalHelpTopicCommand}}
  {{rpad .CommandPath .CommandPathPadding}} {{.Short}}{{end}}{{end}}
{{end}}`
