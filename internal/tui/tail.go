package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ralph/internal/engine"
	"ralph/internal/view"
)

// The maximum that a log keeps: lines, their bytes, and the bytes of one line.
const (
	mostLines   = 5000
	mostBytes   = 2 << 20
	longestLine = 4 << 10
)

// lines are the end of a log, and its rows on a screen of some width.
type lines struct {
	text  []string
	bytes int
	// rows are the text wrapped to width; first[i] is the row that text[i]
	// begins with.
	rows  []string
	first []int
	width int
}

// add appends lines that are ready for the screen, and returns how many rows it
// dropped at the front.
func (l *lines) add(text ...string) (lost int) {
	for _, t := range text {
		if len(t) > longestLine {
			t = fit(t, longestLine)
		}
		l.text = append(l.text, t)
		l.bytes += len(t)
		if l.width > 0 {
			l.put(t)
		}
	}
	if len(l.text) <= mostLines && l.bytes <= mostBytes {
		return 0
	}
	drop := 0
	for len(l.text)-drop > mostLines*3/4 || l.bytes > mostBytes*3/4 {
		l.bytes -= len(l.text[drop])
		drop++
	}
	if l.width > 0 && drop < len(l.first) {
		lost = l.first[drop]
	}
	l.text = append([]string(nil), l.text[drop:]...)
	l.wrap(l.width)
	return lost
}

func (l *lines) put(t string) {
	l.first = append(l.first, len(l.rows))
	l.rows = append(l.rows, wrap(t, l.width, 2)...)
}

// wrap makes the rows for a new width.
func (l *lines) wrap(width int) {
	l.width, l.rows, l.first = width, nil, nil
	for _, t := range l.text {
		l.put(t)
	}
}

// events reads the events since the last read.
func (r *reader) events(ctx context.Context, e Engine, id string, zone *time.Location) followed {
	a := followed{reader: r}
	for {
		records, err := e.Events(ctx, id, r.seen)
		if a.err = err; err != nil || len(records) == 0 {
			return a
		}
		for _, x := range records {
			r.seen = x.Seq
			a.lines = append(a.lines, cells(eventLine(x, &r.log, zone), r.ascii))
		}
		a.lines = a.lines[max(0, len(a.lines)-mostLines):]
	}
}

// output reads the output of an agent or a gate.
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
		for _, part := range view.AgentLine(line) {
			a.lines = append(a.lines, cells(part, r.ascii))
		}
	}
	if !protocol {
		a.last = cells(r.tail.line(), r.ascii)
	}
	return a
}

// applyFollowed appends new output to the log, unless it shows another source now.
func (m *model) applyFollowed(a followed) tea.Cmd {
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
	return m.tickSoon()
}

// window is how much of a file is read at once, and how much of its end is shown
// at first. The output of agents and gates is unbounded.
const window = 256 << 10

// tail reads a growing file. Where it grows faster than it is read, the middle is
// replaced by a note.
type tail struct {
	path string
	// longest is the maximum kept of one line, in bytes.
	longest int
	// at is how far the file has been read.
	at int64
	// carry is the unfinished line; cut: it is too long, its rest is dropped;
	// over: after a carriage return, the next text overwrites it.
	carry     []byte
	cut, over bool
}

// read returns the new lines, and whether the file was truncated. A missing file
// has no lines.
func (t *tail) read() (lines []string, anew bool, err error) {
	size, err := engine.Size(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if size < t.at {
		*t, anew = tail{path: t.path, longest: t.longest}, true
	}
	if behind := size - t.at; behind > window {
		lines = t.skip(behind - window)
	}
	if size == t.at {
		return lines, anew, nil
	}
	f, err := engine.Open(t.path, t.at)
	if err != nil {
		return lines, anew, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, min(size-t.at, window)))
	t.at += int64(len(data))
	return append(lines, t.split(data)...), anew, err
}

// skip skips n bytes. The next text may begin within a line.
func (t *tail) skip(n int64) (lines []string) {
	if len(t.carry) > 0 {
		lines = []string{t.line()}
	}
	t.at, t.carry, t.cut, t.over = t.at+n, nil, false, false
	return append(lines, fmt.Sprintf("… %d bytes are left out here …", n))
}

// split splits data into lines.
func (t *tail) split(data []byte) (lines []string) {
	for {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			t.keep(data)
			return lines
		}
		t.keep(data[:i])
		lines = append(lines, t.line())
		t.carry, t.cut, t.over = t.carry[:0], false, false
		data = data[i+1:]
	}
}

// keep appends to the unfinished line. Text after a carriage return replaces the
// text before it, as on a terminal.
func (t *tail) keep(data []byte) {
	text := bytes.TrimRight(data, "\r")
	if i := bytes.LastIndexByte(text, '\r'); i >= 0 || t.over && len(text) > 0 {
		t.carry, t.cut, text = t.carry[:0], false, text[i+1:]
	}
	t.over = t.over && len(text) == 0 || bytes.HasSuffix(data, []byte("\r"))
	if t.cut {
		return
	}
	if room := t.longest - len(t.carry); len(text) > room {
		text, t.cut = text[:room], true
	}
	t.carry = append(t.carry, text...)
}

// line returns the unfinished line.
func (t *tail) line() string {
	if t.cut {
		return string(t.carry) + " …"
	}
	return string(t.carry)
}
