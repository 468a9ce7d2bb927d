package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/report"
)

// maxTyped is the number of characters that a line takes.
const maxTyped = 2000

// editor is a line that a person types.
type editor struct {
	text []rune
	at   int
}

func (e *editor) String() string { return string(e.text) }

func (e *editor) set(s string) {
	e.text = []rune(s)
	e.at = len(e.text)
}

// insert puts foreign text at the cursor, as one line of printable characters.
func (e *editor) insert(s string) {
	typed := []rune(strings.ReplaceAll(report.Clean(s), "\n", " "))
	typed = typed[:min(len(typed), maxTyped-len(e.text))]
	e.text = slices.Insert(e.text, e.at, typed...)
	e.at += len(typed)
}

// key edits the line; the keys are those of every shell.
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

// show is the part of the line around the cursor that w columns can hold, and
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
