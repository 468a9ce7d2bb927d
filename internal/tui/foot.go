package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/loop"
	"ralph/internal/text"
	"ralph/internal/view"
)

// foot returns the lines below the page: a dialog, or the note, the next command
// and the keys. The cursor's Y counts from the last line upwards.
func (m *model) foot() ([]string, *tea.Cursor) {
	switch {
	case m.dialog != nil:
		return m.dialogLines()
	case m.filtering:
		text, at := m.filter.show(max(m.w-3, 1), m.o.Palette.ASCII)
		return []string{"", " /" + text}, tea.NewCursor(2+at, 0)
	}
	var lines []string
	if words := m.noteLines(); len(words) > 0 {
		lines = words
	} else if m.h >= 12 {
		lines = []string{""}
	}
	if l, ok := m.run(m.open); ok && m.page == pageStory && !m.helping && m.out == nil {
		if next := l.Row(m.now, m.o.Palette).Next; next != "" {
			lines = append(lines, m.indented(wrap(m.text("next  "+next), m.w-2, 6))...)
		}
	}
	return append(lines, m.hints()), nil
}

// noteLines returns the note, on at most three lines.
func (m *model) noteLines() []string {
	words := m.note.text
	if words == "" && m.filter.String() != "" && m.page == pageList {
		words = "filter: " + m.filter.String()
	}
	if words == "" {
		return nil
	}
	lines := wrap(m.text(words), m.w-2, 0)
	lines = m.indented(lines[:min(len(lines), 3)])
	for i := range lines {
		if m.note.bad {
			lines[i] = m.ink.bad(lines[i])
		}
	}
	return lines
}

func (m *model) indented(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// dialogLines returns the question, cut in its middle on a low screen, the text
// field, and what enter does.
func (m *model) dialogLines() ([]string, *tea.Cursor) {
	d := m.dialog
	var ask []string
	for part := range strings.SplitSeq(strings.TrimRight(text.Clean(d.ask), "\n"), "\n") {
		ask = append(ask, wrap(m.text(part), m.w-2, 0)...)
	}
	if most := max(m.h-5, 1); len(ask) > most {
		kept := min(len(d.options()), most-1)
		ask = append(ask[:most-kept-1:most-kept-1], append([]string{m.text("…")}, ask[len(ask)-kept:]...)...)
	}
	lines := append([]string{strings.Repeat(m.rule(), m.w)}, m.indented(ask)...)
	hint := " " + m.ink.dim(clip(m.text(d.hint), m.w-2, m.o.Palette.ASCII))
	if !d.typing() {
		return append(lines, hint), nil
	}
	text, at := d.edit.show(max(m.w-4, 1), m.o.Palette.ASCII)
	return append(lines, " > "+text, hint), tea.NewCursor(3+at, 1)
}

func (d *dialog) options() []string {
	if d.question == nil {
		return nil
	}
	return d.question.Options
}

func (m *model) rule() string {
	if m.o.Palette.ASCII {
		return "-"
	}
	return "─"
}

// hints returns the keys that work now, as many as fit; help and quit always do.
func (m *model) hints() string {
	l, ok := m.chosen()
	var keys []string
	switch {
	case m.helping:
		keys = []string{"? back"}
	case m.out != nil:
		keys = []string{"esc back", "space page"}
	case m.page == pageList && !ok && m.o.All != nil:
		keys = []string{"/ filter"}
	case m.page == pageList && !ok:
		keys = []string{"n new run", "/ filter"}
	case m.page == pageList:
		keys = append([]string{"enter open", "l log"}, m.actionKeys(l, ok)...)
		keys = append(keys, "n new run", "/ filter")
		if m.o.back {
			keys = append([]string{"esc all"}, keys...)
		}
	case m.page == pageStory:
		keys = append([]string{"esc back", "l log"}, m.actionKeys(l, ok)...)
	default:
		keys = append([]string{"esc back", "tab output", "[ ] attempt"}, m.actionKeys(l, ok)...)
	}
	end := "? help  q quit"
	line := " "
	for _, k := range keys {
		if width(line)+len(k)+2+len(end) < m.w {
			line += k + "  "
		}
	}
	return m.ink.dim(line + end)
}

// actionKeys returns the keys that act on a loop in its current state, the most
// important first.
func (m *model) actionKeys(s view.Run, ok bool) (keys []string) {
	switch {
	case !ok:
		return nil
	case s.Acceptable():
		return []string{"c accept", "d diff", "e evidence"}
	case s.Retriable():
		return []string{"t retry", "d diff", "e evidence"}
	case s.Take != "":
		return []string{"c accept what landed", "d diff", "e evidence"}
	case s.Status.Terminal():
		return []string{"d diff", "e evidence"}
	}
	switch {
	case s.Asks > 1:
		keys = append(keys, fmt.Sprintf("A answer (%d)", s.Asks))
	case s.Asks == 1:
		keys = append(keys, "A answer")
	}
	if s.Status == loop.Running && !s.Crashed && !s.PauseAsked {
		keys = append(keys, "p pause")
	}
	if m.whyNotResume(s) == "" {
		keys = append(keys, "r resume")
	}
	if s.Plan {
		return append(keys, "a abort")
	}
	return append(keys, "a abort", "s steer")
}

// note is a message about the last action. The next key removes it, and so does
// time.
type note struct {
	text string
	bad  bool
	at   time.Time
}

// noteDuration is how long a note is shown.
const noteDuration = time.Minute

func (m *model) say(text string)  { m.note = note{text: text, at: m.now} }
func (m *model) warn(text string) { m.note = note{text: text, at: m.now, bad: true} }

// forget removes an old note.
func (m *model) forget() {
	if m.now.Sub(m.note.at) >= noteDuration {
		m.note = note{}
	}
}
