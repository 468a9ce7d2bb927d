package tui

import (
	"io"

	tea "charm.land/bubbletea/v2"
)

// woken: the screen is back from the background, or could not go there.
type woken struct{ slept bool }

// suspend gives the terminal back to the shell until fg.
func (m *model) suspend() tea.Cmd {
	s := &stopper{}
	return tea.Exec(s, func(error) tea.Msg { return woken{s.slept} })
}

// stopper is what runs while the terminal is not ours.
type stopper struct{ slept bool }

func (s *stopper) Run() error {
	s.slept = stop()
	return nil
}

// The terminal needs no streams of ours while we are stopped.
func (*stopper) SetStdin(io.Reader)  {}
func (*stopper) SetStdout(io.Writer) {}
func (*stopper) SetStderr(io.Writer) {}

// awake says where ctrl-z did nothing, and looks at once.
func (m *model) awake(w woken) tea.Cmd {
	if !w.slept {
		m.warn("there is no shell to go back to: q leaves")
	}
	return m.hurry()
}
