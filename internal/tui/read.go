package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
)

// events reads the events after those that were seen.
func (r *reader) events(ctx context.Context, e Engine, id string, zone *time.Location) followed {
	records, err := e.Events(ctx, id, r.seen)
	a := followed{reader: r, err: err}
	for _, x := range records {
		r.seen = x.Seq
		a.lines = append(a.lines, cells(eventLine(x, zone), r.ascii))
	}
	return a
}

// output reads what an agent or a gate printed.
func (r *reader) output(files engine.Layout, confirm int) followed {
	a := followed{reader: r}
	path := r.source.path(files, confirm)
	protocol := strings.HasSuffix(path, ".jsonl")
	if path != r.tail.path {
		a.anew = r.tail.path != ""
		r.tail = tail{path: path, longest: longestLine}
		if protocol {
			r.tail.longest = window
		}
	}
	lines, anew, err := r.tail.read()
	a.anew, a.err = a.anew || anew, err
	for _, line := range lines {
		if !protocol {
			a.lines = append(a.lines, cells(line, r.ascii))
			continue
		}
		for _, part := range said(line) {
			a.lines = append(a.lines, cells(part, r.ascii))
		}
	}
	if !protocol {
		a.last = cells(r.tail.line(), r.ascii)
	}
	return a
}

// took adds what came to the log, unless another source is shown by now.
func (m *model) took(a followed) tea.Cmd {
	l := m.log
	if l == nil || l.reader != a.reader {
		return nil
	}
	l.reading, l.err = false, a.err
	if a.anew {
		l.lines = lines{}
	}
	l.scroll.top = max(l.scroll.top-l.lines.add(a.lines...), 0)
	moved := len(a.lines) > 0 || a.last != l.last
	if l.last = a.last; !moved {
		return nil
	}
	m.moved = true
	return m.wake()
}
