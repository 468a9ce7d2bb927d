package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/text"
	"ralph/internal/view"
)

// row is one line of a log. A head begins a group: the lines up to the next head can be
// folded below it.
type row struct {
	Text string
	Head bool
}

// piece is what a log has gained: rows, and at its end a line that is not finished yet.
type piece struct {
	Rows []row
	Last string
	// Anew: it replaces all that was read before.
	Anew bool
	// Cut reports that there are lines before these.
	Cut bool
}

// empty reports whether nothing was gained.
func (p piece) empty() bool { return len(p.Rows) == 0 && p.Last == "" && !p.Anew }

// tail reads a log onwards from a place in it.
type tail interface {
	// more reads what was added. moved reports that the run may have changed since.
	more(ctx context.Context, moved bool) (piece, error)
	// place is up to where complete lines were read, as one word: a tail that begins
	// there reads each line once, also in another process.
	place() string
}

// journalTail reads the events of a run. Its place is the number of the newest event.
type journalTail struct {
	repo  Repository
	id    string
	seq   int64
	begun bool
}

// newJournalTail begins after a place, or with the newest lines; last is the number of the
// newest event.
func newJournalTail(repo Repository, id, after string, last int64) *journalTail {
	seq, err := strconv.ParseInt(after, 10, 64)
	if err != nil || seq < 0 || seq > last {
		return &journalTail{repo: repo, id: id, seq: max(0, last-mostLines)}
	}
	return &journalTail{repo: repo, id: id, seq: seq, begun: true}
}

func (t *journalTail) place() string { return strconv.FormatInt(t.seq, 10) }

func (t *journalTail) more(ctx context.Context, moved bool) (p piece, err error) {
	if t.begun && !moved {
		return p, nil
	}
	if !t.begun {
		p.Anew, p.Cut, t.begun = true, t.seq > 0, true
	}
	for {
		lines, err := t.repo.Events(ctx, t.id, t.seq)
		if err != nil {
			return p, err
		}
		for _, e := range lines {
			p.Rows = append(p.Rows, row{lineOf(e.Text), e.Head})
			t.seq = e.Seq
		}
		p.bound()
		if len(lines) < engine.EventPage {
			return p, nil
		}
	}
}

// bound keeps the newest rows.
func (p *piece) bound() {
	if over := len(p.Rows) - mostLines; over > 0 {
		p.Rows, p.Cut, p.Anew = p.Rows[over:], true, true
	}
}

// lineOf is a line without what a terminal would obey.
func lineOf(s string) string { return text.Cut(text.Clean(s), 2000) }

// fileTail reads what an agent or a gate prints. Its place is an attempt, how much was read
// in bytes, and the name of the file.
type fileTail struct {
	repo   Repository
	loop   Loop
	source string
	// newest: it continues with the next attempt when one begins.
	newest  bool
	attempt int
	at      int64
	path    string
	seen    int64
	begun   bool
}

// newFileTail begins after a place, or with the newest lines.
func newFileTail(repo Repository, l Loop, source string, attempt int, newest bool, after string) *fileTail {
	t := &fileTail{repo: repo, loop: l, source: source, newest: newest, attempt: attempt}
	n, rest, _ := strings.Cut(after, ".")
	offset, base, _ := strings.Cut(rest, ".")
	read, err := strconv.ParseInt(offset, 10, 64)
	given, wrong := strconv.Atoi(n)
	path := logPath(l, source, attempt)
	if err == nil && wrong == nil && given == attempt && read >= 0 && base == filepath.Base(path) {
		t.at, t.path, t.begun = read, path, true
	}
	return t
}

func (t *fileTail) place() string {
	return fmt.Sprintf("%d.%d.%s", t.attempt, t.at, filepath.Base(logPath(t.loop, t.source, t.attempt)))
}

func (t *fileTail) more(ctx context.Context, moved bool) (p piece, err error) {
	if t.newest && moved && t.begun {
		if t.loop, err = t.repo.Loop(ctx, t.loop.ID); err != nil {
			return p, err
		}
		t.attempt = t.loop.Iteration
	}
	path := logPath(t.loop, t.source, t.attempt)
	size, err := engine.Size(path)
	if errors.Is(err, fs.ErrNotExist) {
		size, err = 0, nil
	}
	if err != nil {
		return p, err
	}
	if path != t.path || size < t.at {
		p.Anew, t.begun = true, true
		t.path, t.at, t.seen = path, 0, 0
	}
	if size == t.seen {
		return p, nil
	}
	t.seen = size
	if behind := size - t.at; behind > mostLog {
		t.at, p.Cut, p.Anew = size-mostLog, true, true
	}
	return p, t.read(&p, size)
}

// read reads up to size. What follows the last end of a line is read again the next time.
func (t *fileTail) read(p *piece, size int64) error {
	if size == t.at {
		return nil
	}
	f, err := engine.Open(t.path, t.at)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, size-t.at))
	if err != nil {
		return err
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	if end == 0 && len(data) >= mostLog { // a line without an end: it is cut
		end = len(data)
	}
	whole, rest := data[:end], data[end:]
	t.at += int64(end)
	if p.Cut {
		_, whole, _ = bytes.Cut(whole, []byte("\n"))
	}
	protocol := strings.HasSuffix(t.path, ".jsonl")
	for line := range bytes.Lines(whole) {
		p.Rows = append(p.Rows, rowsOf(string(bytes.TrimSuffix(line, []byte("\n"))), protocol)...)
	}
	if !protocol {
		p.Last = lineOf(string(rest))
	}
	p.bound()
	return nil
}

// rowsOf are the rows of one line of an output. Of an agent's protocol what it says or does
// begins a group, and what follows on further lines belongs to it.
func rowsOf(line string, protocol bool) []row {
	if !protocol {
		return []row{{lineOf(line), heads(line)}}
	}
	var out []row
	for n, l := range view.AgentLine(line) {
		out = append(out, row{lineOf(l), n == 0})
	}
	return out
}

// heads reports whether a line begins a group, as go test, Buildkite and the actions of
// GitHub mark one.
func heads(line string) bool {
	for _, mark := range []string{"=== ", "--- ", "+++ ", "::group::", "##[group]"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}
