package tui

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/engine"
)

// BenchmarkView is one frame with as many loops as there are at most in a
// night, long texts among them.
func BenchmarkView(b *testing.B) {
	e := &fake{}
	for i := range 10 {
		for _, l := range everyone() {
			l.State.ID = fmt.Sprintf("%s-%d", l.State.ID, i)
			l.State.Task.Text = strings.Repeat("a long task ", 1000)
			e.loops = append([]engine.Loop{l}, e.loops...)
		}
	}
	for page, keys := range map[string][]string{"list": nil, "story": {"enter"}, "log": {"l"}} {
		b.Run(page, func(b *testing.B) {
			s := newScreen(nil, e, 120, 50)
			s.press(keys...)
			for b.Loop() {
				s.View()
			}
		})
	}
}
