package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// askTask asks for the task of a new run. A text that did not start one is there again.
func (m *model) askTask() {
	if m.o.Command == nil {
		m.warn(`type in a shell: ralph run "..." -d`)
		return
	}
	m.dialog = &dialog{
		begin: true, ask: "A new run in the background. What is to be done? (or the path of a plan's file)",
		hint: "enter start, with the settings of this repository · esc cancel",
	}
	m.dialog.edit.set(m.draft)
}

// begin starts a run in the background, as the command does at a terminal.
func (m *model) begin(task string) tea.Cmd {
	m.dialog, m.draft = nil, ""
	return m.cover(printed{title: "ralph run -d", draft: task}, "run", "--detach", "--", task)
}

// keepDraft keeps the text of a dialog that is left.
func (m *model) keepDraft() {
	if m.dialog.begin {
		m.draft = strings.TrimSpace(m.dialog.edit.String())
	}
}

// full reports that the field may hold the beginning of a task only, and tells it.
func (d *dialog) full() bool {
	if !d.begin || len(d.edit.text) < maxTyped {
		return false
	}
	d.hint = fmt.Sprintf("not %d characters or more: write it into a plan's file · esc cancel", maxTyped)
	return true
}
