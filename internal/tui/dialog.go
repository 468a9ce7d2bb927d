package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/text"
	"ralph/internal/view"
)

// dialog asks the user about one loop. It stays with the loop for which it was
// opened.
type dialog struct {
	id   string
	kind engine.CommandKind
	// ask is the question, several lines; hint is what enter and esc do.
	ask, hint string
	edit      editor
	// question and picked belong to an answer.
	question *loop.Question
	picked   int
	offered  string
	// of is the run whose questions are answered, and at the place of this one among them.
	of string
	at int
	// own: the question is a plan's, and the plan decides what it takes. other are
	// words beside its options that a second enter sends.
	own   bool
	other string
	// begin: it asks for the task of a new run, and is about no loop.
	begin bool
	// sure: an abort was confirmed; the dialog asks for its reason.
	sure bool
}

// typing reports whether keys are text.
func (d *dialog) typing() bool { return d.kind != engine.Abort || d.sure }

func (m *model) askAbort(r view.Run) tea.Cmd {
	if r.Status.Terminal() {
		m.warn(r.ID + " has ended")
		return nil
	}
	kept := "What it has done is kept on a branch."
	if r.Driven {
		kept = "Its agent hears of it at the next check."
	}
	m.dialog = &dialog{
		id: r.ID, kind: engine.Abort,
		ask: "Abort " + r.ID + "? " + kept, hint: "y abort · any other key: no",
	}
	return nil
}

func (m *model) askSteer(r view.Run) tea.Cmd {
	if r.Plan {
		m.warn("a plan has no agent of its own: steer the loop of a task")
		return nil
	}
	if r.Status.Terminal() {
		m.warn(r.ID + " has ended")
		return nil
	}
	m.dialog = &dialog{
		id: r.ID, kind: engine.Steer,
		ask: "Guidance for the next attempts of " + r.ID + ":", hint: "enter send · esc cancel",
	}
	return nil
}

// dialogKey handles a key while a dialog is open.
func (m *model) dialogKey(k tea.KeyPressMsg) tea.Cmd {
	d, name := m.dialog, k.String()
	switch {
	case name == "esc":
		m.keepDraft()
		m.dialog = nil
	case !d.typing():
		return m.confirm(name)
	case name == "enter":
		return m.submit()
	case d.question != nil && name == "tab":
		m.askNext()
	case d.question != nil && name == "up":
		d.pick(-1)
	case d.question != nil && name == "down":
		d.pick(1)
	default:
		d.edit.key(k)
		d.full()
	}
	return nil
}

// confirm handles the key after "Abort?". Only y is a yes.
func (m *model) confirm(name string) tea.Cmd {
	d := m.dialog
	if name != "y" && name != "Y" {
		m.dialog = nil
		m.say("nothing was aborted")
		return nil
	}
	d.sure, d.ask, d.hint = true, "Why abort "+d.id+"? (for the record; may stay empty)", "enter abort · esc cancel"
	return nil
}

// pick selects another option.
func (d *dialog) pick(n int) {
	if count := len(d.question.Options); count > 0 {
		d.picked = min(max(d.picked+n, 0), count-1)
		d.edit.set("")
		d.edit.insert(d.question.Options[d.picked])
		d.offered = d.edit.String()
	}
}

// answer returns the answer: a selected option is itself, even if it looks like
// the number of another.
func (d *dialog) answer() string {
	text := strings.TrimSpace(d.edit.String())
	switch {
	case d.question == nil:
		return text
	case d.picked >= 0 && d.edit.String() == d.offered:
		return d.question.Options[d.picked]
	}
	return d.question.Choose(text)
}

// submit sends the text. The dialog stays open where text is required and missing.
func (m *model) submit() tea.Cmd {
	d := m.dialog
	text := d.answer()
	if text == "" && d.kind != engine.Abort {
		return nil
	}
	if d.full() {
		return nil
	}
	if d.begin {
		return m.begin(text)
	}
	if why := d.refuses(text); why != "" {
		d.hint = why + " · esc cancel"
		return nil
	}
	m.dialog = nil
	if d.question != nil && !m.stillAsks(d) {
		m.warn(d.id + " does not ask this any more; nothing was sent")
		return nil
	}
	if d.question != nil {
		return m.answer(Answer{Run: d.id, Question: *d.question, Text: text})
	}
	m.say("sending to " + d.id + " …")
	return m.send(d.id, engine.Command{Kind: d.kind, Text: text})
}

// refuses is why an answer is not sent; "" sends it. Words that are none of the options
// are sent by a second enter, where an agent reads them.
func (d *dialog) refuses(answer string) string {
	if d.question == nil || d.own {
		return ""
	}
	words, known, other := d.question.Accepts(answer)
	switch {
	case words == "" || known || other && d.other == words:
		return ""
	case other:
		d.other = words
		return view.NoOption(*d.question, words) + "; enter once more sends it"
	}
	return view.NoOption(*d.question, words)
}

// maxTyped is the maximum number of characters in a line.
const maxTyped = 2000

// editor is a text field of one line.
type editor struct {
	text []rune
	at   int
}

func (e *editor) String() string { return string(e.text) }

func (e *editor) set(s string) {
	e.text = []rune(s)
	e.at = len(e.text)
}

// insert adds foreign text at the cursor, as one line of printable characters.
func (e *editor) insert(s string) {
	typed := []rune(strings.ReplaceAll(text.Clean(s), "\n", " "))
	typed = typed[:min(len(typed), maxTyped-len(e.text))]
	e.text = slices.Insert(e.text, e.at, typed...)
	e.at += len(typed)
}

// key edits the line with the usual keys of shells.
func (e *editor) key(k tea.KeyPressMsg) {
	switch k.String() {
	case "left", "ctrl+b":
		e.at = max(e.at-1, 0)
	case "right", "ctrl+f":
		e.at = min(e.at+1, len(e.text))
	case "home", "ctrl+a":
		e.at = 0
	case "end", "ctrl+e":
		e.at = len(e.text)
	case "backspace", "ctrl+h":
		e.cut(e.at-1, e.at)
	case "delete", "ctrl+d":
		e.cut(e.at, e.at+1)
	case "ctrl+u":
		e.cut(0, e.at)
	case "ctrl+k":
		e.cut(e.at, len(e.text))
	case "ctrl+w":
		e.cut(e.wordBefore(), e.at)
	default:
		e.insert(k.Key().Text)
	}
}

func (e *editor) cut(from, to int) {
	from, to = max(from, 0), min(to, len(e.text))
	if from < to {
		e.text = slices.Delete(e.text, from, to)
		e.at = from
	}
}

func (e *editor) wordBefore() int {
	i := e.at
	for i > 0 && e.text[i-1] == ' ' {
		i--
	}
	for i > 0 && e.text[i-1] != ' ' {
		i--
	}
	return i
}

// show returns the part of the line around the cursor that fits in w columns, and
// the column of the cursor in it.
func (e *editor) show(w int, ascii bool) (string, int) {
	from, used := e.at, 1
	for from > 0 {
		if used += width(cell(e.text[from-1], ascii)); used > w {
			break
		}
		from--
	}
	before := cells(string(e.text[from:e.at]), ascii)
	return fit(before+cells(string(e.text[e.at:]), ascii), w), width(before)
}
