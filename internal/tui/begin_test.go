package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestNewRun: the task is one argument, an error is shown, and the text of a run that did
// not start is there again.
func TestNewRun(t *testing.T) {
	t.Parallel()
	var ran [][]string
	code := 64
	s := newScreen(t, &fake{}, 80, 24, func(o *Options) {
		o.Command = func(args ...string) (string, int) {
			ran = append(ran, args)
			return "no gate: add --until", code
		}
	})
	s.shows("n new run")
	s.press("n")
	s.write("--fix the q bug")
	golden(t, "begin-80x24", s.text())
	s.press("esc", "n")
	s.shows("> --fix the q bug")
	s.press("enter")
	s.shows("no gate: add --until", "nothing was started")
	s.press("esc", "n")
	s.shows("> --fix the q bug")
	code = 0
	s.press("enter")
	if len(ran) != 2 || strings.Join(ran[1], "|") != "run|--detach|--|--fix the q bug" {
		t.Fatalf("ran %q", ran)
	}
	s.hides("nothing was started")
	s.press("esc", "n")
	s.hides("fix the q bug")
	s.press("enter")
	if len(ran) != 2 {
		t.Errorf("an empty task ran %q", ran[2])
	}
}

// TestNewRunIsNeverCut: a task that the field cannot hold is not started in part.
func TestNewRunIsNeverCut(t *testing.T) {
	t.Parallel()
	s := newScreen(t, &fake{}, 40, 5, func(o *Options) {
		o.Command = func(...string) (string, int) { t.Error("it was started"); return "", 0 }
	})
	s.press("n")
	s.tell(tea.PasteMsg{Content: strings.Repeat("long ", 1000)})
	s.press("enter")
	s.shows("not 2000 characters", "> ")
}

// TestNewRunWithoutCommands names what to type.
func TestNewRunWithoutCommands(t *testing.T) {
	t.Parallel()
	s := newScreen(t, &fake{}, 80, 24)
	s.press("n")
	s.shows("type in a shell: ralph run")
}
