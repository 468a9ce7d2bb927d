package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"
)

// growth is how often the file of a log is looked at while it is shown: output grows
// without an event.
const growth = 300 * time.Millisecond

// follow is the stream of one log: what is added to it after the place that the page has,
// in the order of the log, each line once. The id of an event is the place after it; for
// a journal it is the number of the event. A browser that returns with one, also to
// another process, continues there.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) {
	repo, err := s.repository(r)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	log, err := s.tail(r.Context(), repo, r, cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("after")))
	if err != nil {
		s.failed(w, r, err)
		return
	}
	if !s.streams.take() {
		http.Error(w, "too many streams", http.StatusServiceUnavailable)
		return
	}
	defer s.streams.free()
	changed, leave := s.hub.listen(r.Context())
	defer leave()
	out := newSender(w)
	if !out.send("retry: 2000\n: %s\n\n", log.place()) {
		return
	}
	grown, beat := time.NewTicker(growth), time.NewTicker(ping)
	defer grown.Stop()
	defer beat.Stop()
	for moved := true; ; {
		p, err := log.more(r.Context(), moved)
		if err != nil || !p.empty() && !s.sendPiece(out, p, log.place()) {
			return // the browser asks again
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
			moved = true
		case <-grown.C:
			moved = false
		case <-beat.C:
			moved = false
			if !out.send(": here\n\n") {
				return
			}
		}
		if !s.signedIn(r) {
			return
		}
	}
}

// sendPiece sends the rows as HTML. They are escaped by their template.
func (s *Server) sendPiece(out sender, p piece, place string) bool {
	var html bytes.Buffer
	if s.templates.ExecuteTemplate(&html, "log-rows", p) != nil {
		return false
	}
	data, err := json.Marshal(html.String())
	if err != nil {
		return false
	}
	event := "append"
	if p.Anew {
		event = "anew"
	}
	return out.send("id: %s\nevent: %s\ndata: %s\n\n", place, event, data)
}

// tail is the log that a request names, read on from a place.
func (s *Server) tail(ctx context.Context, repo Repository, r *http.Request, after string) (tail, error) {
	id := r.PathValue("id")
	l, err := repo.Loop(ctx, id)
	if errors.Is(err, ErrNotFound) {
		v, err := repo.Plan(ctx, id)
		return newJournalTail(repo, id, after, v.Seq), err
	}
	if err != nil {
		return nil, err
	}
	source := sourceOf(l, r)
	if source == eventsSource {
		return newJournalTail(repo, id, after, l.Seq), nil
	}
	return newFileTail(repo, l, source, attemptOf(r, l.Iteration), !namesAttempt(r), after), nil
}

// sourceOf is the source that a request names; the events without a known one.
func sourceOf(l Loop, r *http.Request) string {
	if source := r.URL.Query().Get("source"); slices.Contains(sourcesOf(l), source) {
		return source
	}
	return eventsSource
}

// namesAttempt reports whether a request is about one attempt, and not the newest.
func namesAttempt(r *http.Request) bool { return r.URL.Query().Get("attempt") != "" }
