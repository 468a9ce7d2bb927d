package web

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	// ping keeps a stream from being taken for dead; written is how long a client may
	// take to read one message.
	ping    = 15 * time.Second
	written = 10 * time.Second
	// recheck is how soon an open stream knows that its browser was signed out elsewhere.
	recheck = time.Second
)

// hub looks at the repositories while a browser listens, and tells the browsers when
// something changed. It tells that, and not what: each page asks for its own fragments.
type hub struct {
	source Source
	every  time.Duration

	mu        sync.Mutex
	listeners map[chan struct{}]bool
	mark      uint64
	stop      context.CancelFunc
	ended     bool
	done      sync.WaitGroup
}

func newHub(source Source, every time.Duration) *hub {
	return &hub{source: source, every: max(every, 10*time.Millisecond), listeners: map[chan struct{}]bool{}}
}

// listen returns a channel that is signalled after a change. The first listener begins
// the watch, the last ends it.
func (h *hub) listen(ctx context.Context) (changed chan struct{}, leave func()) {
	changed = make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners[changed] = true
	if h.stop == nil && !h.ended {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // the watch outlives the request that begins it
		h.stop = stop
		h.done.Go(func() { h.watch(ctx) })
	}
	return changed, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.listeners, changed)
		if len(h.listeners) == 0 && h.stop != nil {
			h.stop()
			h.stop = nil
		}
	}
}

// close ends the watch and waits for it.
func (h *hub) close() {
	h.mu.Lock()
	h.ended = true
	if h.stop != nil {
		h.stop()
	}
	h.mu.Unlock()
	h.done.Wait()
}

func (h *hub) watch(ctx context.Context) {
	tick := time.NewTicker(h.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.look(ctx)
		}
	}
}

// look compares the repositories with what they were, and signals the listeners.
func (h *hub) look(ctx context.Context) uint64 {
	mark := markOf(ctx, h.source)
	h.mu.Lock()
	defer h.mu.Unlock()
	if mark == h.mark || ctx.Err() != nil {
		return h.mark
	}
	h.mark = mark
	for l := range h.listeners {
		select {
		case l <- struct{}{}:
		default: // it has not taken the signal before
		}
	}
	return mark
}

// now is the mark of the present state.
func (h *hub) now() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.mark
}

// markOf is a number that changes when something shown changes. A repository that cannot
// be read counts with its error.
func markOf(ctx context.Context, source Source) uint64 {
	sum := fnv.New64a()
	repos, err := source.Repositories(ctx)
	_, _ = fmt.Fprint(sum, err)
	for _, r := range repos {
		mark, err := r.Mark(ctx)
		_, _ = fmt.Fprint(sum, r.Key(), "\x00", mark, "\x00", err, "\x00")
	}
	return sum.Sum64()
}

// sender writes a stream of events to one browser.
type sender struct {
	w   http.ResponseWriter
	out *http.ResponseController
}

// newSender begins a stream.
func newSender(w http.ResponseWriter) sender {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{})
	return sender{w, out}
}

// send reports whether the browser took a message.
func (s sender) send(format string, args ...any) bool {
	_ = s.out.SetWriteDeadline(time.Now().Add(written)) // the network's clock, not the pages'
	_, err := fmt.Fprintf(s.w, format, args...)
	return err == nil && s.out.Flush() == nil
}

// events is the stream of one browser. The id of an event is the mark of the state that
// it tells of: a browser that returns with the present one has missed nothing, and any
// other is told at once.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if !s.streams.take() {
		http.Error(w, "too many streams", http.StatusServiceUnavailable)
		return
	}
	defer s.streams.free()
	changed, leave := s.hub.listen(r.Context())
	defer leave()
	send := newSender(w).send
	mark := s.hub.look(r.Context())
	if last := r.Header.Get("Last-Event-ID"); last == id(mark) {
		send(": as it was\n\n")
	} else if !send("retry: 2000\nid: %s\nevent: changed\ndata: %s\n\n", id(mark), id(mark)) {
		return
	}
	beat, check := time.NewTicker(ping), time.NewTicker(recheck)
	defer beat.Stop()
	defer check.Stop()
	for {
		ok := true
		select {
		case <-r.Context().Done():
			return
		case <-changed:
			before := mark
			if mark = s.hub.now(); mark == before {
				continue
			}
			ok = send("id: %s\nevent: changed\ndata: %s\n\n", id(mark), id(mark))
		case <-beat.C:
			ok = send(": here\n\n")
		case <-check.C:
		}
		if ok && !s.signedIn(r) {
			ok = false
			send("event: signed-out\ndata: {}\n\n")
		}
		if !ok {
			return
		}
	}
}

func id(mark uint64) string { return strconv.FormatUint(mark, 16) }
