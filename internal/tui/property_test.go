package tui

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// intact holds a screen to its promises: every line fits, nothing but cells and
// colours is in it, and the cursor is inside.
func intact(t interface {
	Helper()
	Fatalf(string, ...any)
}, s *screen,
) {
	t.Helper()
	v := s.View()
	if s.w <= 0 || s.h <= 0 {
		if v.Content != "" {
			t.Fatalf("a screen of %d×%d shows %q", s.w, s.h, v.Content)
		}
		return
	}
	rows := strings.Split(v.Content, "\n")
	if len(rows) != s.h {
		t.Fatalf("%d lines on a screen of %d×%d:\n%s", len(rows), s.w, s.h, v.Content)
	}
	for _, row := range rows {
		if wrong := harmless(row, s.w, s.o.Palette.ASCII); wrong != "" {
			t.Fatalf("%s on a screen of %d×%d: %q", wrong, s.w, s.h, row)
		}
		if !s.o.Palette.Color && strings.Contains(row, "\x1b") {
			t.Fatalf("colour without being asked: %q", row)
		}
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.X >= s.w || c.Y < 0 || c.Y >= s.h) {
		t.Fatalf("the cursor is at %d,%d of %d×%d", c.X, c.Y, s.w, s.h)
	}
	if len(s.order) > 0 && !slices.Contains(s.order, s.at) {
		t.Fatalf("%q is chosen, and is none of %v", s.at, s.order)
	}
}

// foreign is text as agents, tasks and test runners may hold it.
func foreign(t *rapid.T) string {
	return rapid.OneOf(
		rapid.Just(""), rapid.Just(evil), rapid.String(), rapid.Just(strings.Repeat("漢字 ", 200)),
		rapid.Just("a\nb\tc\n\n"+strings.Repeat("x", 300)), rapid.Just("ralph-tax-rounding"),
	).Draw(t, "text")
}

// anyLoop is a loop in any state, with foreign text wherever there is text.
func anyLoop(t *rapid.T, id string) engine.Loop {
	l := rapid.SampledFrom(everyone()).Draw(t, "loop")
	s := &l.State
	s.ID, s.Task.Text, s.Message, s.Agent.Name, s.Branch = id, foreign(t), foreign(t), foreign(t), foreign(t)
	s.Status = rapid.SampledFrom([]loop.Status{loop.Pending, loop.Running, loop.Waiting, loop.Paused, loop.StatusPassed, loop.StatusFailed, loop.Aborted}).Draw(t, "status")
	s.Reason = rapid.SampledFrom([]loop.Reason{"", loop.ForHuman, loop.ForLimit, loop.Stuck, loop.Green, loop.AlreadyGreen, "unheard of"}).Draw(t, "reason")
	s.Step = rapid.SampledFrom([]loop.Step{loop.StepSetup, loop.StepBase, loop.StepAgent, loop.StepTidy}).Draw(t, "step")
	s.PauseAsked, s.Iteration = rapid.Bool().Draw(t, "pause"), rapid.IntRange(0, 4).Draw(t, "iteration")
	s.Gates[0].Name, s.FailureRef = foreign(t), foreign(t)
	s.Questions = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) loop.Question {
		return loop.Question{Text: foreign(t), Options: []string{foreign(t), foreign(t)}, Default: foreign(t), Work: rapid.Bool().Draw(t, "work")}
	}), 0, 2).Draw(t, "questions")
	for i := range s.Recent {
		s.Recent[i].Error, s.Recent[i].Notes = foreign(t), []string{foreign(t)}
		for k := range s.Recent[i].Results {
			r := &s.Recent[i].Results[k]
			r.Reason, r.Excerpt, r.Fingerprint = foreign(t), foreign(t), foreign(t)
		}
	}
	l.Live, l.Crashed, l.Owner = rapid.Bool().Draw(t, "live"), rapid.Bool().Draw(t, "crashed"), foreign(t)
	l.Seq = rapid.Int64Range(1, 1<<40).Draw(t, "seq")
	return l
}

// TestAnySequence: whatever is pressed, whatever the engine answers and in
// which order, the screen stays whole.
func TestAnySequence(t *testing.T) {
	t.Parallel()
	keys := []string{
		"up", "down", "j", "k", "g", "G", "pgup", "pgdown", "home", "end", "left", "right", "tab", "shift+tab", "enter", "esc", "backspace", "delete",
		"l", "l", "p", "r", "a", "y", "A", "s", "/", "?", "[", "]", "1", "x", "漢", "ctrl+u", "ctrl+w", "ctrl+d", "ctrl+n", "enter", "esc",
	}
	ids := []string{"a", "ralph-tax-rounding-0badcafe", "c" + strings.Repeat("d", 63)}
	dir := t.TempDir()
	files := engine.Layout{Dir: dir}
	for n := range 4 {
		if err := os.MkdirAll(files.Attempt(n), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files.Output(n), []byte(strings.Repeat(evil+"\n", 200)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		e := &fake{}
		s := newScreen(nil, e, rapid.IntRange(0, 130).Draw(t, "w"), rapid.IntRange(0, 50).Draw(t, "h"), func(o *Options) {
			o.Project = foreign(t)
			o.Palette = view.Palette{ASCII: rapid.Bool().Draw(t, "ascii"), Color: rapid.Bool().Draw(t, "colour")}
		})
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) { intact(t, s) },
			"press": func(t *rapid.T) {
				for range rapid.IntRange(1, 6).Draw(t, "times") {
					s.press(rapid.SampledFrom(keys).Draw(t, "key"))
				}
			},
			"paste": func(t *rapid.T) { s.tell(tea.PasteMsg{Content: foreign(t)}) },
			"resize": func(t *rapid.T) {
				s.tell(tea.WindowSizeMsg{Width: rapid.IntRange(0, 130).Draw(t, "w"), Height: rapid.IntRange(0, 50).Draw(t, "h")})
			},
			"tick": func(t *rapid.T) {
				if len(s.ticks) > 0 {
					s.clock = s.clock.Add(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute, -time.Hour, 100 * time.Hour}).Draw(t, "time"))
					s.tell(s.ticks[len(s.ticks)-1])
				}
			},
			"other loops": func(t *rapid.T) {
				e.loops = nil
				for _, id := range ids[:rapid.IntRange(0, len(ids)).Draw(t, "loops")] {
					l := anyLoop(t, id)
					l.Dir = dir
					e.loops = append(e.loops, l)
				}
			},
			"an event": func(t *rapid.T) {
				e.happen(rapid.SampledFrom(ids).Draw(t, "id"), loop.Steered{Stamp: loop.Stamp{At: s.clock}, Text: foreign(t)})
			},
			"trouble": func(t *rapid.T) {
				e.err = rapid.SampledFrom([]error{nil, nil, errors.New(evil), engine.ErrNotFound}).Draw(t, "err")
				e.refuse = rapid.SampledFrom([]error{nil, errors.New(evil), engine.ErrEnded}).Draw(t, "refuse")
			},
			"slow": func(*rapid.T) { s.hold = true },
			"answers": func(t *rapid.T) {
				s.hold = false
				held := s.later
				s.later = nil
				if rapid.Bool().Draw(t, "backwards") {
					slices.Reverse(held)
				}
				for _, cmd := range held {
					s.run(cmd)
				}
			},
		})
	})
}
