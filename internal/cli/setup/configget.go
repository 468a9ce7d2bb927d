package setup

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/text"
)

func (a *Commands) configGetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "get KEY",
		Short: "The value of one key, or those of a group of keys",
		Long:  "Print the value of one key, or those of a group of keys. A key without a value is an empty line.",
		Example: `  ralph config get limits.max_iterations   # the value alone
  ralph config get limits                  # every key of the group`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.configured(cmd.Context())
			if err != nil {
				return err
			}
			values, err := chosen(p.Settings.Values(), p.Settings.Unset(), args[0])
			switch {
			case err != nil:
				return err
			case a.JSON:
				return a.Object(configObject(p, values))
			case len(values) == 1 && values[0].Key == args[0]:
				a.Print(text.Clean(values[0].Value))
			default:
				a.Print(settingsTable(values, false))
			}
			return nil
		},
	}
}

func (a *Commands) configCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the files of settings, and name their mistakes",
		Long: `Check ralph.yaml and your own config.yaml. Each mistake is named with file, line and
column; a key that is not known with the one that was probably meant. Exit codes: 0 all
is valid, 78 there are mistakes.`,
		Example: `  ralph config check
  ralph --config other.yaml config check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.configured(cmd.Context())
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(configObject(p, nil))
			}
			found := false
			for _, s := range []*config.Source{p.Found.Project, p.Found.User} {
				if s != nil {
					found = true
					a.Print(text.Clean(s.Name) + ": valid")
				}
			}
			if !found {
				a.Print("there is no file of settings; the built-in values apply. To write one: ralph init")
			}
			return nil
		},
	}
}

// configured is the project with its settings, which have no mistake.
func (a *Commands) configured(ctx context.Context) (*project.Project, error) {
	p, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	return p, a.Configure(p)
}

// chosen are the values of the key with this name, or of the keys below it.
func chosen(all []config.Value, unset []string, name string) ([]config.Value, error) {
	var out []config.Value
	var keys []string
	for _, v := range all {
		if v.Key == name || strings.HasPrefix(v.Key, name+".") {
			out = append(out, v)
		}
		keys = append(keys, v.Key)
	}
	switch {
	case len(out) > 0:
		return out, nil
	case slices.Contains(unset, name):
		return []config.Value{{Key: name, Origin: config.Origin{Layer: config.BuiltIn}}}, nil
	}
	return nil, exit.UsageError(command.Near(name, append(keys, unset...), "ralph config schema describes every key"), "unknown key %q", name)
}
