package demo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/demo"
	"ralph/internal/proc"
	"ralph/internal/view"
)

// banner says what is real here, and what is not.
func (d *demonstration) banner() {
	agent := "a script: no AI, no network; tokens n/a, cost n/a"
	if d.agent != "" {
		agent = d.agent + ": no script of ours; it may cost money"
	}
	d.Say("A demonstration of ralph: two small tasks, from beginning to end.\n")
	d.Say("  engine  real, with real git and real worktrees")
	d.Say("  repo    real, to be thrown away: %s", d.Dir)
	d.Say("  tests   real: %s", d.variant.Tests)
	d.Say("  agent   %s", agent)
	if !d.paced && d.agent == "" {
		d.Say("\nBoth tasks are worked on at the same time, each in a worktree of its own.")
	}
}

// announce tells what will happen, and the command that does the same.
func (a *act) announce() {
	d, s := a.stage, a.story
	a.Say("\n== %d of %d: %s %s\n", a.n+1, len(demo.Stories()), s.Name, strings.Repeat("=", 66-len(s.Name)))
	agent := d.agent
	if agent == "" {
		a.Say("%s\n", folded(s.Announced, 78))
		agent = "script:../" + demo.ScriptDir + "/" + filepath.Base(demo.ScriptFile(d.dir, s))
	}
	a.Say("$ ralph run %q \\\n    --until %q \\\n    --max-iterations %d --agent %s\n", s.Task, d.variant.Test(s), s.MaxIterations, command.ShellWord(agent))
}

// conclude compares the records with what was announced.
func (d *demonstration) conclude(ctx context.Context) error {
	end, err := d.result(ctx)
	if err != nil {
		return err
	}
	if d.JSON {
		err = d.Encode(end)
	} else {
		d.Print(d.closing(end))
	}
	if err != nil || end.AsAnnounced {
		return err
	}
	var differs []string
	for _, s := range end.Stories {
		differs = append(differs, s.Differs...)
	}
	if d.agent != "" {
		return exit.With(exit.Failed)
	}
	return &exit.Error{
		Code: exit.Failed, Err: errors.New("the demonstration did not end as announced:\n  " + strings.Join(differs, "\n  ")),
		Hint: "this is a mistake in ralph, or something on this machine is unusual; everything is in " + d.dir,
	}
}

// closing is the summary, where to look around, and how to continue.
func (d *demonstration) closing(end demoObject) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n== The end %s\n\nCompleted: %d/%d tasks", strings.Repeat("=", 68), end.completed(), len(end.Stories))
	if end.AsAnnounced && d.agent == "" {
		b.WriteString(", as announced. The failure was deliberate")
	}
	b.WriteString(".\n\n" + view.List(end.items, nil, "", true, 0, d.Now(), d.Palette(d.Out)))
	tests := d.variant.Test(demo.Stories()[0])
	fmt.Fprintf(&b, `
LOOK AROUND
  cd %s
  ralph report                     # what one reads in the morning
  ralph show slugify --evidence    # each test run: commit, exit code, output
  ralph show slugify --prompt 4    # how attempt 4 was made to be different
  ralph show truncate --diff       # the work that was not believed
  git log --oneline --all --graph
  git switch ralph/slugify && %s

ON YOUR OWN REPOSITORY
  cd your-repository
  ralph run "fix the failing tests" --until "the command that tests it"
  ralph init                       # finds the tests, writes ralph.yaml
`, command.ShellWord(d.Dir), tests)
	return b.String() + d.fate() + ourName()
}

// fate says how long the directory stays.
func (d *demonstration) fate() string {
	if d.keep {
		return "\nThe directory stays until you delete it: " + command.ShellWord(d.dir) + "\n"
	}
	return "\nThe next ralph demo deletes this directory; --keep keeps one.\n"
}

// ourName tells how to call this program where its name alone does not do.
func ourName() string {
	if _, err := proc.LookPath("ralph"); err == nil {
		return ""
	}
	self, err := proc.Self()
	if err != nil || strings.Contains(self, "go-build") {
		return "\nralph is not on your PATH. In its sources, make build writes ./ralph.\n"
	}
	return "\nralph is not on your PATH. It is " + command.ShellWord(self) + "\n"
}

// folded breaks words into lines of at most n columns.
func folded(text string, n int) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > n {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return strings.Join(append(lines, line), "\n")
}

// showScript prints what the scripted agent does.
func (a *Commands) showScript(ctx context.Context, f demoFlags) error {
	v, _, err := a.variant(ctx, f.with)
	if err != nil {
		return err
	}
	scripts := map[string]string{}
	for _, s := range demo.Stories() {
		scripts[s.Name] = v.Script(s, true)
		if !a.JSON {
			a.Print(scripts[s.Name])
		}
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.demo-script/v1", "tests": v.Name, "scripts": scripts})
	}
	return nil
}
