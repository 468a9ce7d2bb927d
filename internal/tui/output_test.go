package tui

import (
	"strings"
	"testing"
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
