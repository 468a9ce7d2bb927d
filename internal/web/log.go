package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/text"
)

// A log shows the newest lines, at most this many and this much; the whole is a download.
// The script keeps as many lines (app.js).
const (
	mostLines = 5000
	mostLog   = 1 << 20
)

// logPart are the sources to choose from, and what is read.
type logPart struct {
	Path string
	// Source is events, agent (what it says and does), output (what it prints), or gate:
	// and a name.
	Source   string
	Sources  []string
	Attempt  int
	Attempts []int
	// Newest: it follows the newest attempt.
	Newest bool
}

// linesPart are the lines of a log. Place is up to where they were read; Follow is the
// stream of what is added. key names the log, and not its lines: the stream keeps an open
// page up to date.
type linesPart struct {
	piece
	Place, Follow string
	key           string
}

func (p linesPart) digest() string { return p.key }

const (
	eventsSource = "events"
	agentSource  = "agent"
	outputSource = "output"
	gatePrefix   = "gate:"
)

func (s *Server) loopLog(ctx context.Context, repo Repository, l Loop, r *http.Request) ([]part, error) {
	p := logPart{Path: runPath(repo.Key(), l.ID), Source: sourceOf(l, r), Sources: sourcesOf(l), Attempt: attemptOf(r, l.Iteration), Newest: !namesAttempt(r)}
	if p.Source == eventsSource {
		return s.logParts(ctx, repo, p, r)
	}
	p.Attempts = attemptsOf(l)
	return s.logParts(ctx, repo, p, r)
}

func (s *Server) planLog(ctx context.Context, repo Repository, v Plan, r *http.Request) ([]part, error) {
	return s.logParts(ctx, repo, logPart{Path: runPath(repo.Key(), v.ID), Source: eventsSource, Sources: []string{eventsSource}}, r)
}

// logParts are the head of a log, and its lines. A page that has the lines gets more of
// them by its stream: they are not read for it, and not replaced.
func (s *Server) logParts(ctx context.Context, repo Repository, p logPart, r *http.Request) ([]part, error) {
	query := url.Values{"source": {p.Source}}
	if !p.Newest {
		query.Set("attempt", strconv.Itoa(p.Attempt))
	}
	sum := sha256.Sum256([]byte(p.Path + query.Encode()))
	lines := linesPart{key: hex.EncodeToString(sum[:8]), Follow: p.Path + "/follow?" + query.Encode()}
	if slices.Contains(strings.Split(r.Header.Get("Ralph-Have"), ","), lines.key) {
		return []part{{"body", "log-head", p}, {"lines", "log", lines}}, nil
	}
	log, err := s.tail(ctx, repo, r, "")
	if err != nil {
		return nil, err
	}
	lines.piece, err = log.more(ctx, true)
	lines.Place = log.place()
	return []part{{"body", "log-head", p}, {"lines", "log", lines}}, err
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

// downloading is how long the browser may take to read a whole log.
const downloading = 10 * time.Minute

// logFile sends a whole log as a file: as it is, and never as a page.
func (s *Server) logFile(w http.ResponseWriter, r *http.Request) {
	repo, err := s.repository(r)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	write, err := logWriter(r.Context(), repo, r)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", "attachment; filename=log.txt")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(downloading)) // the network's clock, not the pages'
	_ = write(w)
}

// logWriter finds the log that a request names.
func logWriter(ctx context.Context, repo Repository, r *http.Request) (func(io.Writer) error, error) {
	id, source := r.PathValue("id"), r.URL.Query().Get("source")
	l, err := repo.Loop(ctx, id)
	if errors.Is(err, ErrNotFound) && source == eventsSource {
		_, err = repo.Plan(ctx, id)
		return journalWriter(ctx, repo, id), err
	}
	switch {
	case err != nil:
		return nil, err
	case source == eventsSource:
		return journalWriter(ctx, repo, id), nil
	case !slices.Contains(sourcesOf(l), source):
		return nil, ErrNotFound
	}
	path := logPath(l, source, attemptOf(r, l.Iteration))
	switch _, err := engine.Size(path); {
	case errors.Is(err, fs.ErrNotExist): // nothing was printed yet
		return func(io.Writer) error { return nil }, nil
	case err != nil: // also of what is no regular file
		return nil, ErrNotFound
	}
	return func(w io.Writer) error {
		f, err := engine.Open(path, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}, nil
}

// journalWriter writes all events of a run, a page at a time.
func journalWriter(ctx context.Context, repo Repository, id string) func(io.Writer) error {
	return func(w io.Writer) error {
		for after := int64(0); ; {
			lines, err := repo.Events(ctx, id, after)
			if err != nil {
				return err
			}
			for _, e := range lines {
				after = e.Seq
				if _, err := io.WriteString(w, text.Clean(e.Text)+"\n"); err != nil {
					return err
				}
			}
			if len(lines) < engine.EventPage {
				return nil
			}
		}
	}
}
