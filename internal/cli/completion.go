package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/command"
	"ralph/internal/cli/launch"
)

// flagWords are the values of flags that take one of a few words, by the name of the
// flag, or by its command and its name where the words are those of one command.
var flagWords = map[string][]string{
	"ralph move to":        {"local"},
	"ralph learn add kind": {"note", "error_fix", "success", "anti_pattern"},

	"kind":       {"feature", "fix", "docs", "refactor", "chore"},
	"proof":      {"required", "review", "none"},
	"judges":     {"base", "reviewed"},
	"if-green":   {"work", "stop"},
	"sandbox":    {"auto", "require", "bubblewrap", "landlock", "off"},
	"on-stuck":   {"continue", "stop"},
	"on-failure": {"skip", "stop", "ask"},
	"unattended": {"wait", "default", "fail"},
}

// completeFlags lets shells complete the values of flags: of those with a few words
// these, of --gate and --agent what the repository has.
func (a *app) completeFlags(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		words := flagWords[cmd.CommandPath()+" "+f.Name]
		if words == nil {
			words = flagWords[f.Name]
		}
		complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		switch {
		case f.Name == "gate" && f.Value.Type() != "bool":
			complete = a.completeGates
		case f.Name == "agent" && f.Value.Type() != "bool":
			complete = a.completeAgents
		case f.Name == "loop-id" || f.Name == "parent" || f.Name == "after":
			complete = func(cmd *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
				return a.CompleteIDs(cmd.Context(), start), cobra.ShellCompDirectiveNoFileComp
			}
		case words == nil:
			return
		}
		_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // a flag that completes itself keeps doing so
	})
	for _, sub := range cmd.Commands() {
		if sub.GroupID != command.GroupOther || sub.Name() != "completion" {
			a.completeFlags(sub)
		}
	}
}

// completeGates offers the gates of ralph.yaml, and those that the project's files
// suggest.
func (a *app) completeGates(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	p, err := a.Locate(cmd.Context())
	if err != nil || a.Configure(p) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return launch.GateNames(p), cobra.ShellCompDirectiveNoFileComp
}

// completeAgents offers the agents of ralph.yaml and those that ralph knows.
func (a *app) completeAgents(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	names := append(registry.Names(), "human")
	if p, err := a.Locate(cmd.Context()); err == nil && a.Configure(p) == nil {
		for _, g := range p.Settings.Agents() {
			names = append(names, g.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}
