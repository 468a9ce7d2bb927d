package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/text"
)

// TestAnItemIsSetAnew: what continues the text behind a name is wrapped once, not line by
// line.
func TestAnItemIsSetAnew(t *testing.T) {
	t.Parallel()
	in := `Two answers:

  uphold    from now on the work may change the files that the dispute names, and
            the verdict lists those
  dismiss   the gate stands
    a line of its own

After them.`
	want := `Two answers:

  uphold    from now on the work may change the files that the dispute names,
            and the verdict lists those
  dismiss   the gate stands
    a line of its own

After them.`
	if got := folded(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHelpKeepsTheOrder: help lists the commands of each group in the order of the table of
// commands, and the groups in that of their list.
func TestHelpKeepsTheOrder(t *testing.T) {
	t.Parallel()
	a := newApp(foreground.New(&project.Opener{Terminal: command.Terminal{Now: time.Now}}), nil)
	var out bytes.Buffer
	root := a.root(nil)
	root.SetOut(&out)
	showHelp(root, nil)
	at := 0
	follows := func(line string) {
		t.Helper()
		i := strings.Index(out.String()[at:], "\n"+line)
		if i < 0 {
			t.Errorf("%q does not follow:\n%s", line, out.String()[:at])
			return
		}
		at += i + 1
	}
	for _, g := range command.Groups() {
		follows(g.Title + ":\n")
		for _, v := range a.commands() {
			if c := v.build(); c.GroupID == g.ID && c.IsAvailableCommand() {
				follows("  " + v.name + " ")
			}
		}
	}
}

// TestHelpFits: the help of no command is wider than a terminal, but for commands that are
// copied; what it had to say is in it.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		var out bytes.Buffer
		cmd.SetOut(&out)
		showHelp(cmd, nil)
		for line := range strings.SplitSeq(out.String(), "\n") {
			if text.Width(line) > helpWidth && (!strings.HasPrefix(line, "  ralph ") || strings.Contains(line, " # ")) {
				t.Errorf("%s: %s", cmd.CommandPath(), line)
			}
		}
		if got, want := strings.Join(strings.Fields(out.String()), " "), strings.Join(strings.Fields(cmd.Long), " "); !strings.Contains(got, want) {
			t.Errorf("%s has lost words:\n%s", cmd.CommandPath(), out.String())
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(Commands())
}

// TestExamplesAreAligned: comments stand in one column; one that does not fit there is above
// its command.
func TestExamplesAreAligned(t *testing.T) {
	t.Parallel()
	long := "  ralph " + strings.Repeat("x", 70)
	in := "  ralph a # first\n  ralph status      # second\n  # of its own\n  ralph b\n" + long + " # third"
	want := "  ralph a       # first\n  ralph status  # second\n  # of its own\n  ralph b\n  # third\n" + long
	if got := examples(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestOptionalValues: a flag whose value can be left out is written as people know it.
func TestOptionalValues(t *testing.T) {
	t.Parallel()
	if got, want := optionalValues(`      --approve-plan WHO[="person"]   of a plan`), `      --approve-plan[=WHO]            of a plan`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
