package modelserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server plays one scene.
type Server struct {
	// URL is its address, without a path.
	URL string

	scene Scene
	http  http.Server
	over  chan struct{}

	mu    sync.Mutex
	talks map[string]int
	came  []int // by fault
	calls int
	seen  []Seen
}

// Seen is a request that arrived.
type Seen struct {
	Path, Model string
	// Talk and Turn are the conversation and the turn, counted from 1.
	Talk, Turn int
	// Bytes is the size of the request; Fault: it was not answered.
	Bytes int
	Fault bool
	// Aside: it was not about the work.
	Aside bool
}

// Start plays a scene on the loopback interface until Close.
func Start(s Scene) (*Server, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for agents: %w", err)
	}
	srv := &Server{URL: "http://" + l.Addr().String(), scene: s, over: make(chan struct{}), talks: map[string]int{}, came: make([]int, len(s.Faults))}
	srv.http = http.Server{Handler: srv, ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(srv.over)
		_ = srv.http.Serve(l)
	}()
	return srv, nil
}

// Close ends all conversations at once.
func (s *Server) Close() {
	_ = s.http.Close()
	<-s.over
}

// Seen returns the requests so far, without those that are not about the work.
func (s *Server) Seen() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Seen
	for _, r := range s.seen {
		if !r.Aside {
			out = append(out, r)
		}
	}
	return out
}

// maxBody bounds a request: agents send the whole conversation each time.
const maxBody = 256 << 20

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if strings.HasSuffix(r.URL.Path, "count_tokens") || strings.HasSuffix(r.URL.Path, ":countTokens") {
		reply(w, http.StatusOK, map[string]any{"input_tokens": len(body) / 4, "totalTokens": len(body) / 4})
		return
	}
	p := protocol(r.URL.Path)
	if p == nil {
		http.NotFound(w, r)
		return
	}
	req, err := p.read(r, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a, f := s.due(r.URL.Path, req, len(body))
	switch {
	case f != nil && (f.Mute || f.Hang && !req.stream):
		<-r.Context().Done()
	case f != nil && f.Status != 0:
		refuse(w, p, *f)
	case f != nil && f.Cut && !req.stream:
		panic(http.ErrAbortHandler)
	case req.stream:
		stream(w, r, p.stream(a), f)
	default:
		reply(w, http.StatusOK, p.whole(a))
	}
}

// protocol chooses the protocol by the path.
func protocol(path string) wire {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return anthropic{}
	case strings.HasSuffix(path, "/responses"):
		return responses{}
	case strings.HasSuffix(path, "/chat/completions"):
		return chat{}
	case strings.HasSuffix(path, "enerateContent"):
		return gemini{}
	}
	return nil
}

// due returns the answer to a request, or the fault in its place.
func (s *Server) due(path string, req request, size int) (answer, *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := answer{id: fmt.Sprintf("msg_%d", len(s.seen)+1), model: req.model, usage: s.scene.usage()}
	seen := Seen{Path: path, Model: req.model, Turn: req.turn + 1, Bytes: size, Aside: len(req.tools) == 0 && s.scene.works()}
	defer func() { s.seen = append(s.seen, seen) }()
	if seen.Aside {
		a.say = "OK"
		return a, nil
	}
	seen.Talk = s.talk(req.begin)
	for i, f := range s.scene.Faults {
		if f.due(req.turn, s.came[i]) {
			s.came[i]++
			seen.Fault = true
			a.say = strings.Repeat("Words that are never said to their end. ", 8)
			return a, &f
		}
	}
	turn := s.scene.turn(seen.Talk, req.turn)
	a.say = turn.Say
	for _, c := range turn.Calls {
		s.calls++
		a.calls = append(a.calls, req.tools.use(c, s.calls).in(req.dir))
	}
	return a, nil
}

// talk returns the number of the conversation that begins with this text.
func (s *Server) talk(begin string) int {
	n, known := s.talks[begin]
	if !known {
		n = len(s.talks)
		s.talks[begin] = n
	}
	return n
}

// stream sends events, with a fault only the first half.
func stream(w http.ResponseWriter, r *http.Request, events []string, f *Fault) {
	w.Header().Set("content-type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	if f != nil {
		events = events[:len(events)/2]
	}
	for _, e := range events {
		_, _ = io.WriteString(w, e)
		_ = http.NewResponseController(w).Flush()
	}
	switch {
	case f != nil && f.Cut:
		panic(http.ErrAbortHandler) // the connection is closed in mid-stream
	case f != nil && f.Hang:
		<-r.Context().Done()
	}
}

func refuse(w http.ResponseWriter, p wire, f Fault) {
	body, header := p.refuse(f)
	for _, all := range []map[string]string{header, f.Header} {
		for name, value := range all {
			w.Header().Set(name, value)
		}
	}
	reply(w, f.Status, body)
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// event is one server-sent event; name may be empty.
func event(name string, data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		panic(errors.Join(errors.New("an answer that is no JSON"), err))
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	return name + "data: " + string(text) + "\n\n"
}

// object is a JSON object.
type object = map[string]any
