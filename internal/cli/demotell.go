package cli

import (
	"context"
	"errors"
	"fmt"
		"strings"
	"time"
	"unicode"

	"ralph/internal/demo"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// banner says what is real here, and what is not.
func (d *demonstration) banner() {
	agent := "a script: no AI, no network; tokens and cost n/a"
	if d.agent != "" {
		agent = d.agent + ", the real one: it may cost money"
	}
	d.say("Two small tasks, from beginning to end.\n")
	d.say("  engine  the real one, with real git and real worktrees")
	d.say("  repo    %s (real, throw-away)", d.Dir)
	d.say("  tests   real: %s", d.variant.Tests)
	d.say("  agent   %s", agent)
}

// announce tells what will happen, and the command that does the same.
func (d *demonstration) announce(i int, s demo.Story) {
	d.say("\n%d of %d  %s", i+1, len(demo.Stories()), s.Name)
	if d.agent == "" {
		d.say("%s", folded(s.Announced, 78))
	}
	d.say("\n$ ralph run %q --until %q", s.Task, d.variant.Test(s))
	d.breathe(2 * time.Second)
}

// watch shows a run as `ralph run` does on a terminal, everywhere: this is for
// people. What the agent claims is shown too, since a story is about it.
func (d *demonstration) watch(u engine.Update) {
	if u.Event == nil || d.screen.tty || d.quiet {
		d.screen.update(u)
	} else {
		for _, l := range report.Lines(u.Before, u.After, u.Event, d.now(), d.screen.paint) {
			d.say("%s", l)
		}
	}
	if e, ok := u.Event.(loop.AgentEnded); ok && e.Outcome.Words != "" {
		d.say("%20sit says: %q", "", firstLine(report.Clean(e.Outcome.Words), 48))
	}
}

// conclude compares the records with what was announced.
func (d *demonstration) conclude(ctx context.Context) error {
	end, err := d.judge(ctx)
	if err != nil {
		return err
	}
	if d.json {
		err = d.encode(end)
	} else {
		d.print(d.closing(end))
	}
	if err != nil || end.AsAnnounced {
		return err
	}
	var differs []string
	for _, s := range end.Stories {
		differs = append(differs, s.Differs...)
	}
	if d.agent != "" {
		return ends(exitFailed)
	}
	return &failure{
		code: exitFailed, err: errors.New("the demonstration did not end as announced:\n  " + strings.Join(differs, "\n  ")),
		hint: "this is a mistake in ralph, or something on this machine is unusual; everything is in " + d.dir,
	}
}

// closing is the summary, where to look, and how to go on.
func (d *demonstration) closing(end demoObject) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nCompleted: %d/%d tasks", end.completed(), len(end.Stories))
	if end.AsAnnounced && d.agent == "" {
		b.WriteString(", as announced; the failure was deliberate")
	}
	b.WriteString("\n\n")
	b.WriteString(report.List(end.items, true, d.now(), d.palette(d.Out)))
	look := [][2]string{
		{"cd " + shellWord(d.Dir), ""},
		{"ralph report", ""},
		{"ralph show slugify --evidence", ""},
	}
	_ = look
	return b.String()
}

// folded breaks words into lines of at most n columns.
func folded(text string, n int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > n {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return strings.Join(append(lines, line), "\n")
}

// shellWord quotes a path where a shell needs that.
func shellWord(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("/._-+@:,", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// showScript prints the scenarios.
func (a *app) showScript(v demo.Variant) error {
	for _, s := range demo.Stories() {
		a.print(v.Script(s, true))
	}
	return nil
}
