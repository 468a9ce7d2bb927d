package tui

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/view"
)

// TestCommandsOfAnEndedLoop: what is only shown comes at once; what changes something
// is typed twice, and another key in between takes it back.
func TestCommandsOfAnEndedLoop(t *testing.T) {
	t.Parallel()
	var ran []string
	with := func(o *Options) {
		o.Command = func(args ...string) (string, int) {
			ran = append(ran, strings.Join(args, " "))
			return "the words of " + args[0] + "\n\x1b]0;evil\x07", 0
		}
	}
	s := newScreen(t, &fake{loops: everyone()}, 80, 24, with)
	s.at = "ralph-reject-expired-tokens-a1b2c3d4"
	s.press("d")
	s.shows("ralph show ralph-reject-expired-tokens-a1b2c3d4 --diff", "the words of show")
	s.press("esc", "c", "up", "down")
	s.at = "ralph-reject-expired-tokens-a1b2c3d4"
	s.press("c")
	if len(ran) != 1 {
		t.Fatalf("ran %q", ran)
	}
	s.shows("accept ralph-reject-expired-tokens-a1b2c3d4? c again does it")
	s.press("c")
	s.shows("the words of accept")
	s.press("esc")
	s.at = "ralph-price-service-00ff00ff"
	s.press("c")
	s.shows("has not passed")
	s.press("t", "t")
	s.shows("the words of retry")
	if want := "accept ralph-reject-expired-tokens-a1b2c3d4|retry ralph-price-service-00ff00ff --detach"; strings.Join(ran[1:], "|") != want {
		t.Errorf("ran %q", ran)
	}
}

// TestKeysOfAPlanThatFailed: what landed of it can be accepted, and the rest tried again.
func TestKeysOfAPlanThatFailed(t *testing.T) {
	t.Parallel()
	m := &model{o: Options{Command: func(...string) (string, int) { return "", 0 }}}
	r := view.Run{ID: "p", Plan: true, Status: loop.StatusFailed, Take: "ralph accept p", Again: "ralph run plan.md"}
	if m.show("c", r); m.armed != "ralph accept p" || m.note.bad {
		t.Errorf("c: %q, %q", m.armed, m.note.text)
	}
	if m.show("t", r); m.armed != "ralph accept p" || !strings.Contains(m.note.text, r.Again) {
		t.Errorf("t: %q, %q", m.armed, m.note.text)
	}
	r.Take, m.armed = "", ""
	if m.show("c", r); m.armed != "" || !m.note.bad {
		t.Errorf("c with nothing landed: %q, %q", m.armed, m.note.text)
	}
}
