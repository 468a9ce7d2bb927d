package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// stream opens the stream of a browser, which returns with the last id that it has seen.
func (s *site) stream(ctx context.Context, server *httptest.Server, path, last string) *bufio.Scanner {
	s.t.Helper()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
	r.Host = "ralph-test.localhost"
	r.AddCookie(s.cookie)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := server.Client().Do(r)
	if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		s.t.Fatalf("%v %v", answer, err)
	}
	s.t.Cleanup(func() { _ = answer.Body.Close() })
	return bufio.NewScanner(answer.Body)
}

// nextLine returns the next line with a prefix, without it.
func nextLine(t *testing.T, lines *bufio.Scanner, prefix string) string {
	t.Helper()
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), prefix); ok {
			return rest
		}
	}
	t.Fatalf("the stream ended without %q: %v", prefix, lines.Err())
	return ""
}

// TestStream: each change is told once, and a browser that returns is told what it missed,
// and nothing where it missed nothing.
func TestStream(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	ctx, leave := context.WithCancel(t.Context())
	lines := s.stream(ctx, server, "/events", "")
	first := nextLine(t, lines, "id: ")
	s.source.setMark("2")
	second := nextLine(t, lines, "id: ")
	if first == second {
		t.Error("two states have one id")
	}
	leave()
	if again := s.stream(t.Context(), server, "/events", second); !again.Scan() || again.Text() != ": as it was" {
		t.Errorf("a browser that missed nothing is told %q", again.Text())
	}
	if id := nextLine(t, s.stream(t.Context(), server, "/events", first), "id: "); id != second {
		t.Errorf("a browser that missed %s is told %s", second, id)
	}
}

// TestStreamEndsWithTheSession: a browser that was signed out elsewhere is told so at once,
// also where nothing changes, and hears nothing more.
func TestStreamEndsWithTheSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	lines := s.stream(t.Context(), server, "/events", "")
	nextLine(t, lines, "id: ")
	if err := s.server.sessions.end(s.cookie.Value); err != nil {
		t.Fatal(err)
	}
	nextLine(t, lines, "event: signed-out")
	s.source.setMark("2")
	for lines.Scan() { // it ends
		if strings.Contains(lines.Text(), "changed") {
			t.Error("a browser without a session hears of a change")
		}
	}
}

// TestFragments: an open page gets what it does not have, and the order of the parts.
func TestFragments(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	type answer struct {
		IDs       []string
		Fragments []fragment
	}
	ask := func(have string) (a answer) {
		w := s.do("GET", "/r/shop-12ab/runs/evil-loop", nil, func(r *http.Request) { r.Header.Set("Ralph-Have", have) })
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	all := ask("none")
	var have []string
	for _, f := range all.Fragments {
		have = append(have, f.Digest)
	}
	if len(all.IDs) != 4 || len(all.Fragments) != 4 {
		t.Fatalf("%v", all.IDs)
	}
	if again := ask(strings.Join(have, ",")); len(again.Fragments) != 0 || len(again.IDs) != 4 {
		t.Errorf("nothing changed, and %d fragments came", len(again.Fragments))
	}
	s.source.state.Status, s.source.state.Reason = loop.StatusPassed, loop.Green
	if after := ask(strings.Join(have, ",")); len(after.Fragments) == 0 || after.Fragments[0].ID != "head" || len(after.IDs) != 3 {
		t.Errorf("passed: %v", after.IDs)
	}
}

// TestConnectionsAreBounded: one more than the limit is closed at once, and a closed one
// makes room.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := bounded{l, make(slots, 1)}
	t.Cleanup(func() { _ = l.Close() })
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := b.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	dial()
	first := <-accepted
	if n, err := dial().Read(make([]byte, 1)); err == nil {
		t.Errorf("the second connection is open: %d", n)
	}
	_ = first.Close()
	_ = first.Close() // http closes twice
	dial()
	<-accepted
}

// TestServeEnds: with its context, also while a browser listens.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.server.Serve(ctx, l) }()
	server := &httptest.Server{URL: "http://" + l.Addr().String()}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/events", nil)
	r.AddCookie(s.cookie)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	nextLine(t, bufio.NewScanner(answer.Body), "id: ")
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestFirstLoad: the first page with all that it needs is at most 60 kB, compressed, and
// the files are kept by browsers.
func TestFirstLoad(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	sum := 0
	paths := []string{"/"}
	for _, path := range s.server.static.names {
		paths = append(paths, path)
	}
	for _, path := range paths {
		w := s.do("GET", path, nil, func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") })
		if w.Code != http.StatusOK || path != "/" && (w.Header().Get("Content-Encoding") != "gzip" || !strings.Contains(w.Header().Get("Cache-Control"), "immutable")) {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		sum += w.Body.Len()
	}
	if sum > 60_000 {
		t.Errorf("the first load is %d bytes", sum)
	}
}

// TestToken: the token of a file signs in as often as it is given; one that could be
// guessed is refused.
func TestToken(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{Token: strings.Repeat("x", shortestToken-1), Now: time.Now}); err == nil {
		t.Error("a short token is taken")
	}
	token := NewSecret()
	server, err := New(Options{Source: machine{hostile(t)}, Name: "ralph-test.localhost", Browsers: &memory{}, Token: token, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, server: server}
	for range 2 {
		if w := s.post(signInPath, url.Values{"code": {token}}); w.Code != http.StatusSeeOther {
			t.Errorf("the token signs in: %d", w.Code)
		}
	}
	if w := s.post(signInPath, url.Values{"code": {token[1:]}}); w.Code != http.StatusForbidden {
		t.Errorf("another token signs in: %d", w.Code)
	}
}
