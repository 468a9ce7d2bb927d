package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

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
