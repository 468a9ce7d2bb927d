package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/view"
)

// outputPage covers the page with what a command of ralph printed.
type outputPage struct {
	scroll
	title string
	// lines are nil while the command runs.
	lines []string
}

// printed is the output of a command. draft is the text of the run that it was to start.
type printed struct {
	title, text string
	code        int
	draft       string
}

// outputs are the keys that show what a command prints, each with its arguments.
var outputs = map[string]func(id string) []string{
	"d": func(id string) []string { return []string{"show", id, "--diff"} },
	"e": func(id string) []string { return []string{"show", id, "--evidence"} },
	"c": func(id string) []string { return []string{"accept", id} },
	"t": func(id string) []string { return []string{"retry", id, "--detach"} },
}

// show runs the command of a key on a run. Those that change something are asked for
// twice.
func (m *model) show(name string, r view.Run) tea.Cmd {
	args := outputs[name](r.ID)
	title := "ralph " + strings.Join(args, " ")
	why := ""
	switch {
	case m.o.Command == nil:
		why = "type in a shell: " + title
	case name == "c" && !r.Acceptable() && r.Take == "":
		why = r.ID + " has not passed: there is nothing to accept"
	case name == "t" && !r.Retriable() && r.Again != "":
		why = "to try the rest again, type in a shell: " + r.Again
	case name == "t" && !r.Retriable():
		why = r.ID + " has not failed: there is nothing to do again"
	}
	if why != "" {
		m.warn(why)
		return nil
	}
	if changes := name == "c" || name == "t"; changes && m.armed != title {
		m.armed = title
		m.say(title + "? " + name + " again does it")
		return nil
	}
	return m.cover(printed{title: title}, args...)
}

// cover runs a command, and covers the page with what it prints.
func (m *model) cover(p printed, args ...string) tea.Cmd {
	m.out = &outputPage{title: p.title}
	command, sends := m.o.Command, m.sends
	sends.Add(1)
	return func() tea.Msg {
		defer sends.Done()
		p.text, p.code = command(args...)
		return p
	}
}

// printed shows the output, if its page is still open.
func (m *model) printed(p printed) tea.Cmd {
	if m.out != nil && m.out.title == p.title {
		m.out.lines = strings.Split(strings.TrimRight(p.text, "\n"), "\n")
	} else {
		m.say("done: " + p.title)
	}
	if p.draft != "" && p.code != 0 {
		m.draft = p.draft
		m.warn("nothing was started; in the list n shows the text again")
	}
	return m.lookNow()
}

// outputKey scrolls the output, or closes it.
func (m *model) outputKey(name string) {
	switch n, ok := step(name, max(m.body()-1, 1)); {
	case ok:
		m.out.by(n, len(m.outputLines(m.w)), m.body())
	case name == "esc" || name == "backspace" || name == "left":
		m.out = nil
	}
}

func (m *model) outputLines(w int) []string {
	if m.out.lines == nil {
		return []string{"", " running …"}
	}
	var out []string
	for _, line := range m.out.lines {
		for _, l := range wrap(m.painted(line), w-2, 0) {
			out = append(out, " "+l)
		}
	}
	return out
}
