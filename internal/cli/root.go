package cli

import (
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/agentloop"
	"ralph/internal/cli/command"
	"ralph/internal/cli/doctor"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/learn"
	"ralph/internal/cli/migrate"
	"ralph/internal/cli/plugin"
	"ralph/internal/cli/project"
	"ralph/internal/cli/setup"
)

// Commands is the whole command tree, for programs that write about it.
func Commands() *cobra.Command {
	return (&app{Builder: launch.Builder{Opener: project.Opener{Terminal: command.Terminal{Now: time.Now}}}}).root()
}

// root is the whole command tree.
func (a *app) root() *cobra.Command {
	var dir string
	root := &cobra.Command{
		Use:   "ralph",
		Short: "Run coding agents in loops until checks they cannot talk their way past are green",
		Example: `  ralph demo                                          # see it work, without any agent
  ralph run "fix the failing tests" --until "go test ./..."
  ralph status                                        # what is going on here
  ralph show ID --evidence                            # why it passed, or did not
  ralph accept ID                                     # merge proved work`,
		Args:                       command.NoSuch,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.at(dir); err != nil {
				return err
			}
			a.throughDoor(cmd)
			return a.admit(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.overview(cmd.Context())
		},
	}
	root.SetFlagErrorFunc(badFlag)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	f := root.PersistentFlags()
	f.StringVarP(&dir, "dir", "C", "", "work in `DIR` instead of the current directory")
	f.BoolVar(&a.JSON, "json", false, "write one JSON object to standard output")
	f.StringVar(&a.Config, "config", "", "read `FILE` instead of ralph.yaml")
	f.BoolVarP(&a.Quiet, "quiet", "q", false, "no progress and no notices")
	f.CountVarP(&a.Verbose, "verbose", "v", "say more")
	f.BoolVar(&a.NoColor, "no-color", false, "no colours (also: NO_COLOR)")
	f.BoolVarP(&a.Yes, "yes", "y", false, "answer confirmations with yes")
	f.BoolVar(&a.NoInput, "no-input", false, "never ask; what would ask is an error")
	for _, g := range [][2]string{
		{command.GroupStart, "Start"}, {command.GroupRun, "Run"}, {command.GroupWatch, "Watch"}, {command.GroupSteer, "Steer"}, {command.GroupFinish, "Finish"}, {command.GroupAgents, "Agents"}, {command.GroupTeam, "Team"}, {command.GroupJoin, "Join"}, {command.GroupMind, "Mind"},
	} {
		root.AddGroup(&cobra.Group{ID: g[0], Title: g[1]})
	}
	root.SetHelpCommandGroupID(command.GroupMind)
	root.SetCompletionCommandGroupID(command.GroupMind)
	root.AddCommand(a.commands()...)
	root.AddCommand(topics()...)
	a.strictHelp(root)
	return root
}

// commands are the verbs, in the order of the help.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.demoCommand(), setup.InitCommand(&a.Opener), doctor.Command(&a.Builder),
		a.runCommand(), a.planCommand(), a.retryCommand(), a.waitCommand(), a.adviseCommand(),
		a.statusCommand(), a.watchCommand(), a.showCommand(), a.logsCommand(), a.reportCommand(),
		a.answerCommand(), a.steerCommand(), a.pauseCommand(), a.resumeCommand(), a.abortCommand(),
		a.acceptCommand(), a.archiveCommand(), a.cleanCommand(),
		agentloop.LoopCommand(&a.Builder), agentloop.AgentLoopCommand(&a.Builder), agentloop.AskCommand(&a.Builder), learn.Command(&a.Opener), agentloop.HookCommand(&a.Builder),
		a.serveCommand(),
		a.mcpCommand(), plugin.Command(&a.Terminal),
		setup.ConfigCommand(&a.Opener, a.configSchemaCommand()), migrate.Command(&a.Builder), a.versionCommand(),
	}
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

// Examples come first: they are what people look for.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}{{if .HasExample}}Examples:
{{.Example}}

{{end}}{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}`

const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{range $group := .Groups}}
{{.Title}}:{{range $cmds}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{range $cmds}}{{if and (eq .GroupID "") .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Global flags:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasHelpSubCommands}}
Topics:{{range .Commands}}{{if .IsAdditionalHelpTopicCommand}}
  {{rpad .CommandPath .CommandPathPadding}} {{.Short}}{{end}}{{end}}
{{end}}`
