//go:build unix

package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ralph/internal/loop"
)

func TestOneLoopOfATaskUnderTwentyProcesses(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	var all []*child
	for i := range 20 {
		all = append(all, spawn(t, "admit", dir, fmt.Sprintf("loop-%d", i), "0", "the same"))
	}
	for _, c := range all {
		c.want("ready")
	}
	for _, c := range all {
		c.say("go")
	}
	got := map[string]int{}
	for _, c := range all {
		got[c.line()]++
	}
	if got["in"] != 1 || got["same"] != 19 {
		t.Errorf("%v", got)
	}
	onlyLoops(t, s, dir, 1)
}

// Texts that begin alike, ended loops and who does not ask are not of the same task.
func TestSameTask(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	start := func(id, text string, alone bool) error {
		st := newState(id)
		st.Task.Text = text
		l, err := s.Create(t.Context(), st, Admission{Alone: alone})
		if err == nil && id == "ended" {
			must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
		}
		if err == nil { // a loop that nobody runs has not ended either
			must(t, l.Release(t.Context()))
		}
		return err
	}
	long := strings.Repeat("x", 400)
	must(t, start("a", long+"a", true))
	must(t, start("b", long+"b", true))
	must(t, start("ended", "once", true))
	must(t, start("again", "once", true))
	must(t, start("more", long+"b", false))
	same, _ := errors.AsType[*SameTaskError](start("c", long+"a", true))
	if same == nil || same.ID != "a" {
		t.Errorf("%v", same)
	}
}
