package tui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/view"
)

// screen is a model without a terminal. Its commands run at once, and time
// passes only where a test says so.
type screen struct {
	t *testing.T
	*model
	engine *fake
	clock  time.Time
	ticks  []tea.Msg
	every  []time.Duration
	left   bool
	// later collects commands instead of running them.
	later []tea.Cmd
	hold  bool
}

func newScreen(t *testing.T, e *fake, w, h int, change ...func(*Options)) *screen {
	s := &screen{t: t, engine: e, clock: clockAt(12, 0)}
	give := func(ctx context.Context, a Answer) (string, error) {
		_, err := e.Send(ctx, a.Run, engine.Command{Kind: engine.Answer, Text: a.Text, By: "nina"})
		return "answered", err
	}
	o := Options{Engine: e, Answer: give, Project: "shop-api", By: "nina", Now: func() time.Time { return s.clock }}
	for _, c := range change {
		c(&o)
	}
	s.model = newModel(context.Background(), o)
	s.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		s.every, s.ticks = append(s.every, d), append(s.ticks, msg)
		return nil
	}
	s.run(s.Init())
	s.tell(tea.WindowSizeMsg{Width: w, Height: h})
	return s
}

// run runs a command and all that follow from it.
func (s *screen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if s.hold {
		s.later = append(s.later, cmd)
		return
	}
	s.answer(cmd())
}

func (s *screen) answer(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tea.QuitMsg:
		s.left = true
	default:
		s.tell(msg)
	}
}

func (s *screen) tell(msg tea.Msg) {
	_, cmd := s.Update(msg)
	s.run(cmd)
}

// pass lets the time of the newest tick come.
func (s *screen) pass() {
	s.t.Helper()
	if len(s.ticks) == 0 {
		s.t.Fatal("the clock stands still: there is no next tick")
	}
	s.clock = s.clock.Add(s.every[len(s.every)-1])
	due := s.ticks
	s.ticks = nil
	for _, tick := range due {
		s.tell(tick)
	}
}

// press presses keys by their names; a name of one character is that character.
func (s *screen) press(names ...string) {
	for _, name := range names {
		s.tell(keyOf(name))
	}
}

// write types a text.
func (s *screen) write(text string) {
	for _, r := range text {
		s.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func keyOf(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	if rest, ok := strings.CutPrefix(name, "shift+"); ok {
		k := keyOf(rest)
		k.Mod |= tea.ModShift
		return k
	}
	if code, ok := named[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// text is what stands on the screen.
func (s *screen) text() string {
	var b strings.Builder
	for line := range strings.SplitSeq(s.View().Content, "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func (s *screen) shows(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(s.text(), w) {
			s.t.Errorf("%q is not on the screen:\n%s", w, s.text())
		}
	}
}

func (s *screen) hides(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if strings.Contains(s.text(), w) {
			s.t.Errorf("%q is on the screen:\n%s", w, s.text())
		}
	}
}

func (s *screen) sentLast(want string) {
	s.t.Helper()
	got := "nothing"
	if n := len(s.engine.sent); n > 0 {
		got = s.engine.sent[n-1]
	}
	if got != want {
		s.t.Errorf("sent %s, want %s", got, want)
	}
}

func ascii(o *Options)    { o.Palette = view.Palette{ASCII: true} }
func inColour(o *Options) { o.Palette = view.Palette{Color: true} }

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
