package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// dialog asks a person for a word about one loop. It belongs to the loop for
// which it was opened, whatever moves meanwhile.
type dialog struct {
	id   string
	kind engine.CommandKind
	// ask is what is asked, several lines; hint what enter and esc do.
	ask, hint string
	edit      editor
	// question and picked belong to an answer.
	question *loop.Question
	picked   int
	offered  string
	// sure: an abort was confirmed, and asks for its reason.
	sure bool
}

// typing says whether keys are text.
func (d *dialog) typing() bool { return d.kind != engine.Abort || d.sure }

func (m *model) askAbort(l engine.Loop) tea.Cmd {
	if l.State.Status.Terminal() {
		m.warn(l.State.ID + " has ended")
		return nil
	}
	kept := "What it has done is kept on a branch."
	if l.State.Mode == loop.AgentDriven {
		kept = "Its agent hears of it at the next check."
	}
	m.dialog = &dialog{
		id: l.State.ID, kind: engine.Abort,
		ask: "Abort " + l.State.ID + "? " + kept, hint: "y abort · any other key: no",
	}
	return nil
}

func (m *model) askSteer(l engine.Loop) tea.Cmd {
	if _, plan := m.plans[l.State.ID]; plan {
		m.warn("a plan has no agent of its own: steer the loop of a task")
		return nil
	}
	if l.State.Status.Terminal() {
		m.warn(l.State.ID + " has ended")
		return nil
	}
	m.dialog = &dialog{
		id: l.State.ID, kind: engine.Steer,
		ask: "Guidance for the next attempts of " + l.State.ID + ":", hint: "enter send · esc cancel",
	}
	return nil
}

func (m *model) askAnswer(l engine.Loop) tea.Cmd {
	q := l.State.Open()
	if q == nil {
		m.warn(l.State.ID + " asks nothing")
		return nil
	}
	d := &dialog{id: l.State.ID, kind: engine.Answer, ask: q.Text, hint: "enter send · esc cancel", question: q, picked: -1}
	for i, o := range q.Options {
		d.ask += fmt.Sprintf("\n  %d  %s", i+1, o)
	}
	if due := report.Due(*q, m.now); due != "" {
		d.ask += "\n" + due
	}
	switch {
	case q.Work:
		d.ask += "\nThe work is yours. When it is done, say so:"
		d.edit.set("done")
	case q.Default != "":
		d.hint = "enter send (nothing: " + q.Default + ") · esc cancel"
	}
	if len(q.Options) > 0 {
		d.hint += " · up, down or a number choose"
	}
	m.dialog = d
	return nil
}

// dialogKey is a key while a dialog is open.
func (m *model) dialogKey(k tea.KeyPressMsg) tea.Cmd {
	d, name := m.dialog, k.String()
	switch {
	case name == "esc":
		m.dialog = nil
	case !d.typing():
		return m.confirm(name)
	case name == "enter":
		return m.submit()
	case d.question != nil && name == "up":
		d.pick(-1)
	case d.question != nil && name == "down":
		d.pick(1)
	default:
		d.edit.key(k)
	}
	return nil
}

// confirm takes the key after "Abort?". Nothing but y is a yes.
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

// pick puts an option into the line.
func (d *dialog) pick(n int) {
	if count := len(d.question.Options); count > 0 {
		d.picked = min(max(d.picked+n, 0), count-1)
		d.edit.set("")
		d.edit.insert(d.question.Options[d.picked])
		d.offered = d.edit.String()
	}
}

// answer is what was typed: an option that was picked is itself, even if it
// looks like the number of another.
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

// submit sends what was typed. Where words are needed and there are none, the
// dialog stays.
func (m *model) submit() tea.Cmd {
	d := m.dialog
	text := d.answer()
	if text == "" && d.kind != engine.Abort {
		return nil
	}
	m.dialog = nil
	if d.question != nil && !m.asksStill(d) {
		m.warn(d.id + " does not ask this any more; nothing was sent")
		return nil
	}
	m.say("sending to " + d.id + " …")
	c := engine.Command{Kind: d.kind, Text: text}
	if d.question != nil {
		c.Question = d.question.ID
	}
	return m.send(d.id, c)
}

// asksStill says that the question of a dialog is the one that is open. Somebody
// else may have answered it meanwhile, and the loop have put another.
func (m *model) asksStill(d *dialog) bool {
	l := m.loops[d.id]
	q := l.State.Open()
	return q != nil && q.ID == d.question.ID && q.Text == d.question.Text
}
