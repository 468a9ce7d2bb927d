package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func TestListKeepsItsPlace(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24)
	if s.at != "ralph-order-totals-3" {
		t.Errorf("at first %s is chosen, and not what needs a person", s.at)
	}
	s.press("down", "j")
	s.press("down", "down")
	if s.at != "ralph-search-index-4" {
		t.Fatalf("four down: %s", s.at)
	}
	e.change(s.at, func(l *engine.Loop) { l.State.Status, l.State.Reason = loop.Waiting, loop.ForHuman })
	s.pass()
	if s.at != "ralph-search-index-4" || s.order[2] != s.at {
		t.Errorf("the choice does not follow its loop: %s of %v", s.at, s.order)
	}
	s.press("up", "k", "up", "up")
	if s.at != s.order[0] {
		t.Errorf("beyond the first: %s", s.at)
	}
	s.press("G", "down")
	if s.at != s.order[len(s.order)-1] {
		t.Errorf("beyond the last: %s", s.at)
	}
	e.mu.Lock()
	e.loops = e.loops[:3]
	e.mu.Unlock()
	s.pass()
	if s.at != s.order[len(s.order)-1] {
		t.Errorf("a chosen loop is gone: %s of %v", s.at, s.order)
	}
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"q": {"q"}, "ctrl-c": {"ctrl+c"}, "q in a story": {"enter", "q"}, "q in a log": {"l", "q"}, "q in the help": {"?", "q"},
		"ctrl-c while typing": {"s", "ctrl+c"}, "ctrl-c while filtering": {"/", "ctrl+c"},
	} {
		s := newScreen(t, &fake{loops: everyone()}, 80, 24)
		if s.press(keys...); !s.left || len(s.engine.sent) > 0 {
			t.Errorf("%s: left is %v, sent %v", name, s.left, s.engine.sent)
		}
	}
	s := newScreen(t, &fake{loops: everyone()}, 80, 24)
	if s.press("s", "q", "esc", "/", "q", "esc", "enter", "esc"); s.left {
		t.Error("a letter that was typed, or esc, left the screen")
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		id   string
		keys []string
		sent string // empty: nothing is sent
		says string
	}{
		"pause":                    {"ralph-search-index-4", []string{"p"}, `pause ""`, "pauses after this step"},
		"pause what is paused":     {"ralph-address-form-2", []string{"p"}, "", "paused already"},
		"pause what crashed":       {"ralph-order-totals-3", []string{"p"}, "", "its process is gone"},
		"pause what ended":         {"ralph-price-service-00ff00ff", []string{"p"}, "", "has ended"},
		"resume by hand":           {"ralph-address-form-2", []string{"r"}, "", "type in a shell: ralph resume ralph-address-form-2"},
		"resume what runs":         {"ralph-search-index-4", []string{"r"}, "", "runs already"},
		"resume what asks":         {"ralph-tax-rounding-0badcafe", []string{"r"}, "", "waits for an answer"},
		"resume what ended":        {"ralph-price-service-00ff00ff", []string{"r"}, "", "ralph show ralph-price-service-00ff00ff --evidence"},
		"wake":                     {"ralph-cart-totals-1", []string{"r"}, `wake ""`, "tries again"},
		"abort":                    {"ralph-search-index-4", []string{"a", "y", "n", "o", "enter"}, `abort "no"`, "is being aborted"},
		"abort without a reason":   {"ralph-search-index-4", []string{"a", "Y", "enter"}, `abort ""`, "is being aborted"},
		"abort, no":                {"ralph-search-index-4", []string{"a", "enter"}, "", "nothing was aborted"},
		"abort, esc":               {"ralph-search-index-4", []string{"a", "y", "n", "esc"}, "", "agent at work"},
		"abort what ended":         {"ralph-price-service-00ff00ff", []string{"a", "y", "enter"}, "", ""},
		"answer, no option":        {"ralph-tax-rounding-0badcafe", []string{"A", "x", "enter"}, "", "enter once more sends it"},
		"answer, no option, sure":  {"ralph-tax-rounding-0badcafe", []string{"A", "x", "enter", "enter"}, `answer "x"`, "answered"},
		"answer, no option, other": {"ralph-tax-rounding-0badcafe", []string{"A", "x", "enter", "y", "enter"}, "", "enter once more sends it"},
		"answer by number":         {"ralph-tax-rounding-0badcafe", []string{"A", "2", "enter"}, `answer "bankers"`, "answered"},
		"answer by arrows":         {"ralph-tax-rounding-0badcafe", []string{"A", "down", "down", "down", "enter"}, `answer "bankers"`, ""},
		"answer by arrows, up":     {"ralph-tax-rounding-0badcafe", []string{"A", "down", "down", "up", "enter"}, `answer "half up"`, ""},
		"answer, the default":      {"ralph-tax-rounding-0badcafe", []string{"A", "enter"}, `answer "half up"`, ""},
		"answer nothing":           {"ralph-search-index-4", []string{"A"}, "", "asks nothing"},
		"steer":                    {"ralph-search-index-4", []string{"s", "o", "k", " ", "enter"}, `steer "ok"`, "noted for the next attempt"},
		"steer with nothing":       {"ralph-search-index-4", []string{"s", " ", "enter"}, "", "Guidance for"},
		"steer, esc":               {"ralph-search-index-4", []string{"s", "o", "esc"}, "", ""},
		"from the page of a story": {"ralph-search-index-4", []string{"enter", "p"}, `pause ""`, "pauses after this step"},
		"from the page of a log":   {"ralph-search-index-4", []string{"l", "p"}, `pause ""`, "pauses after this step"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &fake{loops: everyone()}
			s := newScreen(t, e, 100, 30)
			s.at = c.id
			s.press(c.keys...)
			want := "nothing"
			if c.sent != "" {
				want = c.id + " " + c.sent + " by nina"
			}
			s.sentLast(want)
			s.shows(c.says)
		})
	}
}

// TestAnOptionThatLooksLikeANumber: what was picked is meant, not the option
// with that number.
func TestAnOptionThatLooksLikeANumber(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	e.change("ralph-tax-rounding-0badcafe", func(l *engine.Loop) { l.State.Questions[0].Options = []string{"2", "1"} })
	s := newScreen(t, e, 80, 24)
	s.at = "ralph-tax-rounding-0badcafe"
	s.press("A", "down", "enter")
	s.sentLast(`ralph-tax-rounding-0badcafe answer "2" by nina`)
	s.press("A", "1", "enter")
	s.sentLast(`ralph-tax-rounding-0badcafe answer "2" by nina`)
}

// TestDialogBelongsToItsLoop, whatever moves meanwhile.
func TestDialogBelongsToItsLoop(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24)
	s.press("a", "y")
	e.mu.Lock()
	e.loops = append([]engine.Loop{asking()}, e.loops...)
	e.loops[0].State.ID, e.loops[0].State.StartedAt = "first", clockAt(1, 0)
	e.mu.Unlock()
	s.pass()
	s.press("home", "enter")
	s.sentLast(`ralph-order-totals-3 abort "" by nina`)
}

// TestAnAnswerIsToItsQuestion, not to the one that was put meanwhile.
func TestAnAnswerIsToItsQuestion(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24)
	s.at = "ralph-tax-rounding-0badcafe"
	s.press("A", "1")
	e.change(s.at, func(l *engine.Loop) {
		old := l.State.Questions[0]
		old.Answered = true
		l.State.Questions = []loop.Question{old, {ID: "q2", Text: "Delete the old rates?", Options: []string{"yes", "no"}}}
	})
	s.pass()
	s.press("enter")
	s.sentLast("nothing")
	s.shows("does not ask this any more")
}

// TestAgentDriven: nobody runs such a loop, so nobody resumes it either, except
// from a pause.
func TestAgentDriven(t *testing.T) {
	t.Parallel()
	driven := func(status loop.Status, reason loop.Reason) *fake {
		e := &fake{loops: []engine.Loop{working()}}
		e.change(worker, func(l *engine.Loop) {
			l.State.Mode, l.State.Status, l.State.Reason, l.Live = loop.AgentDriven, status, reason, false
		})
		return e
	}
	var begun int
	o := func(o *Options) { o.Resume = func(context.Context, string) error { begun++; return nil } }
	s := newScreen(t, driven(loop.Running, ""), 80, 24, o)
	s.hides("r resume")
	s.press("r")
	s.shows("is driven by its agent")
	s = newScreen(t, driven(loop.Waiting, loop.ForLoop), 80, 24, o)
	s.press("r")
	s.shows("waits for another loop")
	if s.press("a"); begun != 0 {
		t.Error("it was resumed")
	}
	s.shows("at the next check")
	s = newScreen(t, driven(loop.Paused, ""), 80, 24, o)
	s.shows("r resume")
	if s.press("r"); begun != 1 {
		t.Error("it was not resumed")
	}
	s.shows("continues when its agent checks it")
}

// TestResumeAsSoonAsItIsPaused: the process that has paused a loop may not have let
// go of it yet when a person goes on.
func TestResumeAsSoonAsItIsPaused(t *testing.T) {
	t.Parallel()
	e := &fake{loops: []engine.Loop{working()}}
	e.change(worker, func(l *engine.Loop) { l.State.Status, l.Live = loop.Paused, true })
	begun := 0
	s := newScreen(t, e, 80, 24, func(o *Options) { o.Resume = func(context.Context, string) error { begun++; return nil } })
	if s.press("r"); begun != 1 {
		t.Error("it was not resumed")
	}
	s.shows("is resumed in a process of its own")
}

func TestPasteIsTextOrNothing(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24)
	s.tell(tea.PasteMsg{Content: "ay\nq"})
	if s.dialog != nil || s.left {
		t.Fatal("what was pasted pressed keys")
	}
	s.press("a")
	s.tell(tea.PasteMsg{Content: "y\n"})
	if s.dialog == nil || s.dialog.sure {
		t.Fatal("what was pasted confirmed")
	}
	s.press("esc", "s")
	s.tell(tea.PasteMsg{Content: "two\nlines\x1b[2J\x00 " + strings.Repeat("x", 5000)})
	s.press("enter")
	if got := e.sent[0]; !strings.HasPrefix(got, `ralph-order-totals-3 steer "two lines x`) || len(got) > maxTyped+60 {
		t.Errorf("sent %.80s … (%d)", got, len(got))
	}
}

func TestResume(t *testing.T) {
	t.Parallel()
	var begun []string
	refuse := error(nil)
	o := func(o *Options) {
		o.Resume = func(_ context.Context, id string) error { begun = append(begun, id); return refuse }
	}
	s := newScreen(t, &fake{loops: everyone()}, 80, 24, o)
	s.press("r")
	s.shows("ralph-order-totals-3 is resumed in a process of its own")
	refuse = errors.New("too many loops\nrun")
	s.at = "ralph-address-form-2"
	s.press("r")
	s.shows("ralph-address-form-2: too many loops run")
}

func TestErrorsAreSaid(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone(), refuse: errors.New("disk \x1b[2Jfull\nreally")}
	s := newScreen(t, e, 80, 24)
	s.press("s", "x", "enter")
	s.shows("ralph-order-totals-3: disk full really")
	e.refuse = engine.ErrEnded
	s.press("s", "x", "enter")
	s.shows("ralph-order-totals-3 has ended")
	s.press("j")
	s.hides("has ended")
	s.press("s", "x", "enter")
	s.pass()
	s.shows("has ended")
	s.clock = s.clock.Add(noteDuration)
	s.pass()
	s.hides("has ended")
}

func TestFilter(t *testing.T) {
	t.Parallel()
	s := newScreen(t, &fake{loops: everyone()}, 80, 24)
	s.press("/")
	s.write("WAIT total")
	s.shows("ralph-cart-totals-1", "/WAIT total")
	s.hides("ralph-order-totals-3", "ralph-tax-rounding")
	s.press("enter")
	s.shows("filter: WAIT total")
	if s.press("enter"); s.open != "ralph-cart-totals-1" {
		t.Errorf("opened %q", s.open)
	}
	s.press("esc", "esc")
	s.shows("ralph-order-totals-3")
	s.press("/")
	s.write("zz")
	s.shows("No loop matches: zz")
	s.press("esc")
	s.shows("ralph-order-totals-3")
	s.press("/", "c", "l", "a", "u", "d", "e", "down")
	if s.at == s.order[0] {
		t.Error("arrows do not move while a filter is typed")
	}
}

func TestOpensWithALoop(t *testing.T) {
	t.Parallel()
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24, func(o *Options) { o.Open = "ralph-price-service-00ff00ff" })
	s.shows("price service", "LAST FAILURE (attempt 2)", "next  ralph show ralph-price-service-00ff00ff --evidence")
	s.press("l", "esc")
	s.shows("LAST FAILURE")
	s.press("esc")
	if s.page != pageList || s.at != "ralph-price-service-00ff00ff" {
		t.Errorf("back at %s", s.at)
	}
	s.press("enter")
	e.mu.Lock()
	e.loops = e.loops[:2]
	e.mu.Unlock()
	s.pass()
	s.shows("this loop is not here any more", "ralph-cart-totals-1")
}
