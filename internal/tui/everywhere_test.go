package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/view"
)

// machine is a screen of several repositories without a terminal. Its commands run at
// once, but for those that are held, and the clock stands still.
type machine struct {
	t *testing.T
	*everywhere
	engines map[string]*fake
	broken  error
	ticks   []tea.Msg
	gone    bool
	hold    bool
	held    []tea.Cmd
}

// newMachine has one repository for each engine.
func newMachine(t *testing.T, engines map[string]*fake) *machine {
	t.Helper()
	s := &machine{t: t, engines: engines}
	now := func() time.Time { return clockAt(12, 0) }
	list := newModel(context.Background(), Options{Project: "all repositories", Now: now, All: &All{
		Places: func(context.Context) ([]Place, error) {
			var out []Place
			for _, key := range []string{"shop-1", "shop-2", "wiki-3"} {
				e := s.engines[key]
				if e == nil {
					continue
				}
				p := Place{Key: key, Title: strings.Split(key, "-")[0], Root: "/src/" + key, Err: s.broken}
				for _, l := range e.loops {
					p.Runs = append(p.Runs, view.Item{State: l.State, Facts: view.Facts{Live: l.Live, Crashed: l.Crashed}}.Run(now()))
				}
				out = append(out, p)
			}
			return out, nil
		},
		Enter: func(_ context.Context, key string) (Options, error) {
			if s.broken != nil {
				return Options{}, s.broken
			}
			return Options{Engine: s.engines[key], Project: key, By: "nina", Now: now, Root: "/src/" + key, Command: func(...string) (string, int) { return "", 0 }}, nil
		},
	}})
	list.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		s.ticks = append(s.ticks, msg)
		return nil
	}
	s.everywhere = &everywhere{list: list}
	s.do(s.Init())
	s.tell(tea.WindowSizeMsg{Width: 100, Height: 30})
	return s
}

func (s *machine) do(cmd tea.Cmd) {
	switch {
	case cmd == nil:
	case s.hold:
		s.held = append(s.held, cmd)
	default:
		s.tell(cmd())
	}
}

func (s *machine) tell(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.do(c)
		}
	case tea.QuitMsg:
		s.gone = true
	default:
		_, cmd := s.Update(msg)
		s.do(cmd)
	}
}

func (s *machine) press(names ...string) {
	for _, n := range names {
		s.tell(keyOf(n))
	}
}

func (s *machine) shows(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if text := s.View().Content; !strings.Contains(text, w) {
			s.t.Errorf("%q is not on the screen:\n%s", w, text)
		}
	}
}

// TestEverywhere: the runs of all repositories in one list, and each key does in the
// repository of its run what it does there.
func TestEverywhere(t *testing.T) {
	t.Parallel()
	s := newMachine(t, map[string]*fake{"shop-1": {loops: everyone()}, "shop-2": {}, "wiki-3": {loops: everyone()[:2]}})
	first := s.list.order[0]
	key, id := s.list.all[first].key, s.list.all[first].id
	s.shows("all repositories", "NEEDS YOU", "shop-1/", "wiki/")
	if next := s.list.all[first].run.Next; !strings.HasPrefix(next, "ralph -C /src/"+key+" ") {
		t.Errorf("the command to type: %s", next)
	}

	s.press("enter")
	if s.inner == nil || s.inner.open != id {
		t.Fatalf("%s is not open", id)
	}
	s.shows("GATES", "next  ralph -C /src/"+key)
	s.press("esc")
	if s.inner != nil || s.list.at != first {
		t.Error("esc does not come back to where the user was")
	}

	s.press("/", "w", "i", "k", "i", "/", "enter", "l")
	s.shows("[events]")
	s.press("esc", "esc", "esc")
	if s.inner != nil || s.list.filter.String() != "" {
		t.Errorf("inner %v, filter %q", s.inner, s.list.filter.String())
	}
	s.press("n")
	s.shows("A new run in the background")
	s.press("esc", "esc")
	if s.inner != nil {
		t.Error("esc in the list of a repository does not come back")
	}
	s.press("q")
	if !s.gone {
		t.Error("q does not leave")
	}
}

// TestKeysReachTheirRun: a key that acts is sent to the engine of the run's repository.
func TestKeysReachTheirRun(t *testing.T) {
	t.Parallel()
	s := newMachine(t, map[string]*fake{"shop-1": {}, "wiki-3": {loops: everyone()}})
	for id, p := range s.list.all {
		if p.run.Pausable() {
			s.list.at = id
		}
	}
	at := s.list.all[s.list.at]
	s.press("p")
	if sent := s.engines["wiki-3"].sent; len(sent) != 1 || !strings.HasPrefix(sent[0], at.id+" "+string(engine.Pause)) || len(s.engines["shop-1"].sent) > 0 {
		t.Errorf("sent %q", sent)
	}
}

// TestAnswersOfAScreenThatWasLeft do not reach the next one; a key that was pressed while
// a repository is opened enters no other.
func TestAnswersOfAScreenThatWasLeft(t *testing.T) {
	t.Parallel()
	s := newMachine(t, map[string]*fake{"shop-1": {loops: everyone()}})
	s.press("enter")
	before := s.inner
	s.hold = true
	s.do(address(before, before.lookNow()))
	s.hold = false
	s.press("esc", "down", "enter")
	at := s.inner.open
	for _, c := range s.held {
		s.tell(c())
	}
	if s.inner == before || s.inner.open != at {
		t.Error("the screen that was left is back")
	}
	s.press("esc")
	s.hold, s.held = true, nil
	s.press("enter", "enter", "p")
	if len(s.held) != 1 {
		t.Errorf("%d repositories are opened at once", len(s.held))
	}
}

// TestRepositoryThatCannotBeRead is named, and hides no other.
func TestRepositoryThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newMachine(t, map[string]*fake{"shop-1": {loops: everyone()}})
	s.broken = errors.New("/src/shop-1: disk on fire")
	s.do(address(s.list, s.list.lookNow()))
	s.shows("disk on fire", "NEEDS YOU")
	s.press("enter")
	s.shows("disk on fire")
	if s.inner != nil {
		t.Error("it was entered")
	}
	empty := newMachine(t, map[string]*fake{"shop-1": {}})
	empty.press("enter", "n")
	empty.shows("no run is chosen")
}
