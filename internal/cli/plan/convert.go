package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// ConvertedSchema names what plan import and export print with --json.
const ConvertedSchema = "ralph.planconvert/v1"

// Converted tells what was written, and what the new format has no place
// for. Text is the plan itself where no file was named for it.
type Converted struct {
	Schema string          `json:"schema"`
	File   string          `json:"file"`
	From   planfile.Format `json:"from"`
	To     planfile.Format `json:"to"`
	Out    string          `json:"out,omitempty"`
	Tasks  int             `json:"tasks"`
	Lost   []planfile.Lost `json:"lost"`
	Text   string          `json:"text,omitempty"`
}

// convertFlags are those of import and export.
type convertFlags struct {
	from, to, out string
	force         bool
}

func (f *convertFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.from, "from", "", "read FILE in this `FORMAT` instead of looking for it")
	cmd.Flags().StringVar(&f.to, "to", f.to, "write this `FORMAT`: "+formatNames(planfile.Rendered()))
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write to `OUT` instead of standard output")
	cmd.Flags().BoolVar(&f.force, "force", false, "write over OUT if it is there")
}

func (a *Commands) importCommand() *cobra.Command {
	f := convertFlags{to: string(planfile.Tasks)}
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a plan for people to edit out of another tool's file",
		Long: `Read a plan in any format and write it as Markdown with ### Task N: headings,
or in the format of --to. FILE stays as it is. What the new format has no place
for is said. There is no need to import: ralph runs every format that it reads.`,
		Example: `  ralph plan import .taskmaster/tasks/tasks.json -o plan.md
  ralph plan import notes.md --from sections --to sections -o plan.md
  ralph plan import prd.json | less`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.convert(args[0], f) },
	}
	f.add(cmd)
	return cmd
}

func (a *Commands) exportCommand() *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "export FILE --to FORMAT",
		Short: "Write a plan in another tool's format",
		Long: `Write a plan in another format; FILE stays as it is. What that format has no
place for is said: the result is read again and compared.`,
		Example: `  ralph plan export plan.md --to prd -o prd.json
  ralph plan export plan.md --to taskmaster -o .taskmaster/tasks/tasks.json
  ralph plan export plan.md --to json | jq .tasks`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if f.to == "" {
				return exit.UsageError("say which: --to "+formatNames(planfile.Rendered()), "export needs a format")
			}
			return a.convert(args[0], f)
		},
	}
	f.add(cmd)
	return cmd
}

func formatNames(all []planfile.Format) string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

func (a *Commands) convert(name string, f convertFlags) error {
	if f.from != "" && !slices.Contains(planfile.Formats(), planfile.Format(f.from)) {
		return exit.UsageError("known formats: "+formatNames(planfile.Formats()), "unknown plan format %q", f.from)
	}
	if !slices.Contains(planfile.Rendered(), planfile.Format(f.to)) {
		return exit.UsageError("known formats: "+formatNames(planfile.Rendered()), "plans are not written as %q", f.to)
	}
	file, err := launch.ReadPlanAs(a.Opener, name, planfile.Format(f.from))
	if err != nil {
		return err
	}
	words, lost, err := planfile.Render(file.Plan, planfile.Format(f.to))
	if err != nil {
		return exit.UsageError("try --to json, which holds every plan", "%s", text.Clean(err.Error()))
	}
	if f.from == "" && file.Format == planfile.Format(f.to) { // as it is: fields that no plan has stay too
		if words, err = os.ReadFile(a.realPlan(name)); err != nil {
			return exit.UsageError("name a plan file", "read plan %s: %v", name, err)
		}
		lost = nil
	}
	done := Converted{
		Schema: ConvertedSchema, File: name, From: file.Format, To: planfile.Format(f.to), Out: f.out,
		Tasks: len(file.Plan.Tasks), Lost: append([]planfile.Lost{}, lost...),
	}
	if f.out != "" {
		if err := a.writePlan(f.out, words, f.force); err != nil {
			return err
		}
	}
	return a.tellConverted(done, words)
}

// writePlan makes a file, whole or not at all. An existing file is
// replaced only with force.
func (a *Commands) writePlan(name string, text []byte, force bool) error {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return exit.UsageError("name another file, or add --force", "%s is there already", name)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return exit.UsageError("name a file that can be written", "write plan %s: %v", name, err)
	}
	half, err := os.CreateTemp(filepath.Dir(path), ".ralph-plan-*")
	if err != nil {
		return exit.UsageError("name a file in a folder that is there", "write plan %s: %v", name, err)
	}
	defer os.Remove(half.Name())
	_, err = half.Write(text)
	err = errors.Join(err, half.Chmod(0o644), half.Sync(), half.Close())
	if err == nil && force {
		err = os.Rename(half.Name(), path)
	} else if err == nil {
		err = os.Link(half.Name(), path) // unlike a rename it replaces nothing that came meanwhile
	}
	if err != nil {
		return fmt.Errorf("write plan %s: %w", name, err)
	}
	return nil
}

// tellConverted shows the plan, or where it is, and what is lost of it.
func (a *Commands) tellConverted(done Converted, words []byte) error {
	if a.JSON {
		if done.Out == "" {
			done.Text = string(words)
		}
		return a.Object(done)
	}
	if done.Out == "" {
		a.Print(string(words))
	} else {
		a.Say("wrote %s: %s, %d tasks (%s was %s)", text.Clean(done.Out), done.To, done.Tasks, text.Clean(done.File), done.From)
		a.sayDetected(done, words)
	}
	if len(done.Lost) > 0 {
		a.Say("note: %s has no place for:", done.To)
	}
	for _, l := range done.Lost {
		what := l.What
		if l.Task != "" {
			what = l.Task + ": " + what
		}
		a.Say("  %s", text.Clean(what))
	}
	return nil
}

// sayDetected warns where the name of the file makes it something else when it
// is read.
func (a *Commands) sayDetected(done Converted, words []byte) {
	f, err := planfile.Read(done.Out, words)
	switch {
	case err != nil:
		a.Say("note: under this name it is not read as a plan: %s", text.Clean(err.Error()))
	case f.Format != done.To:
		a.Say("note: under this name it is read as %s; %s looks for its files in folders of its own", f.Format, done.To)
	}
}
