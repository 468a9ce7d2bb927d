package setup

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/text"
)

func (a *Commands) ConfigCommand(schema *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "config",
		GroupID: command.GroupOther,
		Short:   "Show the settings in force, their origins, and their schema",
		Example: `  ralph config show            # every key with its value
  ralph config show --origin   # and the flag, variable, file and line it comes from
  ralph config get KEY         # one value
  ralph config check           # the mistakes of ralph.yaml
  ralph config schema          # JSON Schema of ralph.yaml, for editors
  ralph config schema --all    # and of all that ralph writes for programs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.configShowCommand(), a.configGetCommand(), a.configCheckCommand(), schema)
	return cmd
}

func (a *Commands) configShowCommand() *cobra.Command {
	var origin bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Every key with its value",
		Example: `  ralph config show
  ralph config show --origin                               # who gave each value
  RALPH_LIMITS_MAX_ITERATIONS=3 ralph config show --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.configured(cmd.Context())
			if err != nil {
				return err
			}
			for _, n := range p.Found.Notes {
				a.Note("%s", text.Clean(n))
			}
			for _, k := range p.Settings.Kept() {
				a.Note("%s: %s asks for %s; yours stays (%s)", k.Key, k.At, oneLine(k.Wanted), k.From)
			}
			if a.JSON {
				return a.Object(configObject(p, p.Settings.Values()))
			}
			a.Print(settingsTable(p.Settings.Values(), origin))
			return nil
		},
	}
	cmd.Flags().BoolVar(&origin, "origin", false, "say where each value comes from")
	return cmd
}

// settingsTable has one line a key, which can be searched and compared.
func settingsTable(values []config.Value, origin bool) string {
	name, value := 0, 0
	for _, v := range values {
		name = max(name, len(v.Key))
		value = max(value, min(len(v.Value), 40))
	}
	var b strings.Builder
	for _, v := range values {
		line := fmt.Sprintf("%-*s  %s", name, text.Clean(v.Key), oneLine(v.Value))
		if origin {
			line = fmt.Sprintf("%-*s  %-*s  %s", name, text.Clean(v.Key), value, oneLine(v.Value), oneLine(v.Origin.String()))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func oneLine(raw string) string {
	return strings.ReplaceAll(text.Clean(raw), "\n", `\n`)
}

// configObject is `config show --json`, with some of the values. The origins are always in
// it.
func configObject(p *project.Project, some []config.Value) any {
	type origin struct {
		Layer  config.Layer `json:"layer"`
		From   string       `json:"from,omitempty"`
		Line   int          `json:"line,omitempty"`
		Column int          `json:"column,omitempty"`
	}
	type value struct {
		Key    string `json:"key"`
		Value  string `json:"value"`
		Origin origin `json:"origin"`
	}
	values := []value{}
	for _, v := range some {
		o := v.Origin
		values = append(values, value{v.Key, v.Value, origin{o.Layer, o.File, o.Line, o.Column}})
	}
	return map[string]any{
		"schema": "ralph.config/v1", "project_file": sourceName(p.Found.Project), "project_sha256": p.Settings.Digest,
		"user_file": sourceName(p.Found.User), "values": values, "notes": append([]string{}, p.Found.Notes...),
	}
}

// sourceName is null where there is no file.
func sourceName(s *config.Source) *string {
	if s == nil {
		return nil
	}
	return &s.Name
}
