package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
)

// DraftedSchema names what plan new prints with --json.
const DraftedSchema = "ralph.plandrafted/v1"

// Drafted is a plan that an agent has written. Errors are what is wrong with the
// file where it is not sound; it is kept all the same.
type Drafted struct {
	Schema   string             `json:"schema"`
	File     string             `json:"file"`
	Format   planfile.Format    `json:"format"`
	Valid    bool               `json:"valid"`
	Tasks    int                `json:"tasks"`
	By       string             `json:"by"`
	Tries    int                `json:"tries"`
	Usage    loop.Usage         `json:"usage,omitzero"`
	Errors   []planMistake      `json:"errors"`
	Warnings []planfile.Warning `json:"warnings"`
}

// newFlags are those of plan new.
type newFlags struct {
	format, out string
	agent       agentFlags
}

func (a *Commands) newCommand() *cobra.Command {
	f := newFlags{format: string(planfile.Tasks)}
	cmd := &cobra.Command{
		Use:   "new TEXT|FILE|-",
		Short: "Let an agent draft a plan, then edit and keep it",
		Long: `Let an agent draft a plan from a sentence, from the text of an issue in a file,
or from standard input (-). The agent reads the repository at HEAD and writes
nothing; ralph writes the plan to a new file, never over one. A draft that cannot
be read as a plan is returned to the agent with the mistakes, three times at most,
then kept with what is wrong with it (exit code 1). At a terminal you see the plan,
and edit it with $VISUAL or $EDITOR, have it changed, keep it or drop it. Its
commands are proposals: they run only after you accepted them.`,
		Example: `  ralph plan new "add a login page with tests"
  gh issue view 12 | ralph plan new - -o plans/issue-12.md
  ralph plan new notes.txt --format sections --agent claude`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.draft(cmd.Context(), args[0], f) },
	}
	cmd.Flags().StringVar(&f.format, "format", f.format, "write this `FORMAT`: "+formatNames(planfile.Rendered()))
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write to `OUT` instead of a file in plans/ named after the request")
	f.agent.add(cmd)
	return cmd
}

// drafting is one call of plan new.
type drafting struct {
	*Commands
	p       *project.Project
	asked   planner.Consulting
	request planner.DraftRequest
	format  planfile.Format
	// name is the file as it is told, path where it is.
	name, path string
}

func (a *Commands) draft(ctx context.Context, arg string, f newFlags) error {
	d := &drafting{Commands: a, format: planfile.Format(f.format)}
	var err error
	if d.request, err = a.draftRequest(arg, d.format); err != nil {
		return err
	}
	if err := d.place(f.out); err != nil {
		return err
	}
	if d.p, err = a.Open(ctx, false); err != nil {
		return err
	}
	defer d.p.Close()
	agents, err := a.named(d.p, f.agent)
	if err != nil {
		return err
	}
	if d.asked, err = a.consulting(ctx, d.p, agents, d.p.Settings.Limits().Attempt); err != nil {
		return err
	}
	held, err := a.SandboxLine(ctx, d.p, d.asked.Held)
	if err != nil {
		return err
	}
	a.Say("%s", held)
	return d.run(ctx)
}

// mostRequest bounds the text that a plan is drafted from; the page shows less.
const mostRequest = 1 << 20

// draftRequest is what is wanted, and an example of its format.
func (a *Commands) draftRequest(arg string, format planfile.Format) (r planner.DraftRequest, err error) {
	if !slices.Contains(planfile.Rendered(), format) {
		return r, exit.UsageError("known formats: "+formatNames(planfile.Rendered()), "plans are not written as %q", format)
	}
	example, _, err := planfile.Render(examplePlan(), format)
	if err != nil {
		return r, err
	}
	r.Format, r.Example, r.Request = string(format), string(example), arg
	switch path := a.inDir(arg); {
	case arg == "-":
		data, err := io.ReadAll(io.LimitReader(a.In, mostRequest))
		if err != nil {
			return r, fmt.Errorf("read the request: %w", err)
		}
		r.Request = string(data)
	case isFile(path):
		data, err := os.ReadFile(path)
		if err != nil {
			return r, exit.UsageError("name a file that can be read", "read the request: %v", err)
		}
		r.Request = string(data[:min(len(data), mostRequest)])
	}
	if strings.TrimSpace(r.Request) == "" {
		return r, exit.UsageError(`ralph plan new "add a login page"`, "the request is empty")
	}
	return r, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// inDir is a path as the command's working directory has it.
func (a *Commands) inDir(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.Dir, name)
}

// plansFolder takes the plans whose file was not named.
const plansFolder = "plans"

// usualName is the file of a plan that got none.
func (d *drafting) usualName() string {
	first, _, _ := strings.Cut(strings.TrimSpace(d.request.Request), "\n")
	ext := ".md"
	if strings.HasPrefix(d.request.Example, "{") || strings.HasPrefix(d.request.Example, "[") {
		ext = ".json"
	}
	return filepath.Join(plansFolder, launch.Slug(strings.TrimLeft(first, "# "), 40)+ext)
}

// place chooses the file, which must not be there, and must be read as the format
// under its name.
func (d *drafting) place(out string) error {
	if out == "" {
		out = d.usualName()
		if info, err := os.Lstat(d.inDir(plansFolder)); err == nil && !info.IsDir() {
			return exit.UsageError("name the file: -o FILE", "%s is no folder but a link or a file: it may lead out of the repository", plansFolder)
		}
	}
	d.name, d.path = out, d.inDir(out)
	if _, err := os.Lstat(d.path); err == nil {
		return exit.UsageError("name another file: -o FILE", "%s is there already", d.name)
	}
	f, err := planfile.Read(d.name, []byte(d.request.Example))
	if err == nil && f.Format != d.format {
		return exit.UsageError("name a file as that tool does: -o FILE", "a plan named %s is read as %s, not as %s", d.name, f.Format, d.format)
	}
	return err
}

// run drafts until a person keeps the plan; without a terminal the first is kept.
func (d *drafting) run(ctx context.Context) error {
	for {
		d.Say("asking %s for a plan …", text.Clean(d.asked.Agents[0].Name))
		body, done, err := d.p.Plans.Draft(ctx, d.asked, d.request, d.mistakes)
		if err != nil {
			return err
		}
		if body == "" {
			return unanswered("there is no draft", done)
		}
		if err := d.write(body); err != nil {
			return err
		}
		again, err := d.agree(ctx, done)
		if !again || err != nil {
			return err
		}
	}
}

// mistakes are what is wrong with a draft, in words for its author.
func (d *drafting) mistakes(body string) error {
	f, err := planfile.Read(d.name, []byte(body))
	switch {
	case err != nil:
		return err
	case f.Format != d.format:
		return fmt.Errorf("it is read as a plan in the format %s, not %s", f.Format, d.format)
	case len(f.Plan.Tasks) == 0:
		return errors.New("it has no tasks")
	case slices.ContainsFunc(f.Plan.Tasks, func(t plan.Task) bool { return !t.Status.Open() && !t.Optional }):
		return errors.New("tasks are marked as done: nothing is done yet")
	}
	return nil
}

// write makes the file, or writes the next draft into the one that was made here.
func (d *drafting) write(body string) error {
	if err := os.MkdirAll(filepath.Dir(d.path), 0o755); err != nil {
		return exit.UsageError("name a file that can be written", "write plan %s: %v", d.name, err)
	}
	made := d.request.Before != ""
	err := d.writePlan(d.name, []byte(body), made)
	d.request.Before = body
	return err
}

// drafted is the object of the file as it is now.
func (d *drafting) drafted(done planner.Consulted) (Drafted, planfile.File) {
	o := Drafted{
		Schema: DraftedSchema, File: d.name, Format: d.format, By: done.By.Name, Tries: done.Tries, Usage: done.Usage,
		Errors: []planMistake{}, Warnings: []planfile.Warning{},
	}
	if o.By == "" {
		o.By = d.asked.Agents[0].Name
	}
	f, err := launch.LoadPlan(d.Opener, d.name, "")
	for _, e := range launch.Mistakes(err) {
		o.Errors = append(o.Errors, planMistake{e.Line, e.Message, e.Hint})
	}
	if err == nil {
		if err = d.mistakes(string(d.current())); err == nil {
			o.Valid, o.Tasks = true, len(f.Plan.Tasks)
			o.Warnings = append(o.Warnings, f.Warnings...)
			return o, f
		}
	}
	if len(o.Errors) == 0 {
		o.Errors = append(o.Errors, planMistake{Message: err.Error()})
	}
	return o, f
}

// current is the file as a person may have edited it.
func (d *drafting) current() []byte {
	data, _ := os.ReadFile(d.path) // LoadPlan has just read it
	return data
}

// editor is what $VISUAL or $EDITOR name, else vi.
func (d *drafting) editor() string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if line := strings.TrimSpace(d.Getenv(name)); line != "" {
			return line
		}
	}
	return "vi"
}
