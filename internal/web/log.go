package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/text"
	"ralph/internal/view"
)

// A log shows the newest lines, at most this many and this much; the whole is a download.
const (
	mostLines = 5000
	mostLog   = 1 << 20
)

// logPart is a log and the sources to choose from.
type logPart struct {
	Repo, Run string
	// Source is events, agent (what it says and does), output (what it prints), or gate:
	// and a name.
	Source   string
	Sources  []string
	Attempt  int
	Attempts []int
	Lines    []string
	// Cut reports that there are lines before these.
	Cut   bool
	Empty string
	File  string
}

const (
	eventsSource = "events"
	agentSource  = "agent"
	outputSource = "output"
	gatePrefix   = "gate:"
)

func (s *Server) loopLog(ctx context.Context, repo Repository, l Loop, r *http.Request) (part, error) {
	p := logPart{Repo: repo.Key(), Run: l.ID, Source: r.URL.Query().Get("source"), Attempt: attemptOf(r, l.Iteration), Attempts: attemptsOf(l)}
	p.Sources = sourcesOf(l)
	if !slices.Contains(p.Sources, p.Source) {
		p.Source = eventsSource
	}
	if p.Source == eventsSource {
		p.Attempts = nil
		var err error
		p.Lines, p.Cut, err = eventLines(ctx, repo, l.ID, l.Seq)
		return part{"body", "log", p}, err
	}
	path := logPath(l, p.Source, p.Attempt)
	p.File = "source=" + p.Source + "&attempt=" + strconv.Itoa(p.Attempt)
	data, cut, err := engine.Tail(path, mostLog)
	if err != nil {
		return part{}, err
	}
	read := asIs
	if p.Source == agentSource {
		read = view.AgentLine
	}
	p.Lines, p.Cut = linesOf(data, cut, read)
	if len(p.Lines) == 0 {
		p.Empty = "Nothing was printed yet."
	}
	return part{"body", "log", p}, nil
}

func (s *Server) planLog(ctx context.Context, repo Repository, v view.Plan, _ *http.Request) (part, error) {
	p := logPart{Repo: repo.Key(), Run: v.ID, Source: eventsSource, Sources: []string{eventsSource}}
	var err error
	p.Lines, p.Cut, err = eventLines(ctx, repo, v.ID, 0)
	return part{"body", "log", p}, err
}

func sourcesOf(l Loop) []string {
	out := []string{eventsSource, agentSource, outputSource}
	for _, g := range l.Spec.Gates {
		out = append(out, gatePrefix+g.Name)
	}
	return out
}

// attemptOf is the attempt that a request names; the newest without one.
func attemptOf(r *http.Request, newest int) int {
	if n, err := strconv.Atoi(r.URL.Query().Get("attempt")); err == nil && n >= 0 && n <= newest {
		return n
	}
	return newest
}

// logPath is the file of a source: its name is made here from names that ralph wrote,
// never from the request.
func logPath(l Loop, source string, attempt int) string {
	if gate, ok := strings.CutPrefix(source, gatePrefix); ok {
		return l.Files.GateLog(attempt, gate, 0)
	}
	if size, err := engine.Size(l.Files.Events(attempt)); source == agentSource && err == nil && size > 0 {
		return l.Files.Events(attempt)
	}
	return l.Files.Output(attempt)
}

// eventLines are the newest events; last is the number of the newest where it is known.
func eventLines(ctx context.Context, repo Repository, id string, last int64) (lines []string, cut bool, err error) {
	after := max(0, last-mostLines)
	cut = after > 0
	for {
		rows, err := repo.Events(ctx, id, after)
		if err != nil {
			return nil, false, err
		}
		for _, e := range rows {
			lines = append(lines, text.Cut(text.Clean(e.Text), 2000))
			after = e.Seq
		}
		if more := len(lines) - mostLines; more > 0 {
			lines, cut = lines[more:], true
		}
		if len(rows) < engine.EventPage {
			return lines, cut, nil
		}
	}
}

// linesOf are the whole lines of an output as read makes them, without what a terminal
// would obey.
func linesOf(data []byte, cut bool, read func(string) []string) (lines []string, more bool) {
	if cut {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	for line := range strings.Lines(strings.TrimRight(string(data), "\n")) {
		for _, l := range read(strings.TrimSuffix(line, "\n")) {
			lines = append(lines, text.Cut(text.Clean(l), 2000))
		}
	}
	if over := len(lines) - mostLines; over > 0 {
		return lines[over:], true
	}
	return lines, cut
}

// asIs reads the lines of what is no protocol.
func asIs(line string) []string { return []string{line} }

// logFile sends a whole log as a file: as it is, and never as a page.
func (s *Server) logFile(w http.ResponseWriter, r *http.Request) {
	repo, err := s.repository(r)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	l, err := repo.Loop(r.Context(), r.PathValue("id"))
	if err != nil {
		s.failed(w, r, err)
		return
	}
	source := r.URL.Query().Get("source")
	if source == eventsSource || !slices.Contains(sourcesOf(l), source) {
		s.failed(w, r, ErrNotFound)
		return
	}
	path := logPath(l, source, attemptOf(r, l.Iteration))
	if _, err := engine.Size(path); err != nil { // also of what is no regular file
		s.failed(w, r, ErrNotFound)
		return
	}
	f, err := engine.Open(path, 0)
	if err != nil {
		s.failed(w, r, ErrNotFound)
		return
	}
	defer f.Close()
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", "attachment; filename=log.txt")
	_ = http.NewResponseController(w).SetWriteDeadline(s.o.Now().Add(10 * time.Minute))
	_, _ = io.Copy(w, f)
}
