package web

import (
	"context"
	"fmt"
	"maps"
	"net"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"ralph/internal/loop"
)

// TestServerRestarts ends the server in the middle of a stream, and begins another one in
// its place after things have happened: the page comes to it by itself, has them all, and
// has each once.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	b := startBrowser(t, source)
	b.do(chromedp.Navigate(b.base + "/r/shop-12ab/runs/evil-loop/log"))
	b.await("document.getElementById('state').textContent === 'live'")
	b.eval("window.same = true")
	source.happens("3")
	b.await("document.getElementById('log').textContent.includes('event 3;')")

	b.end()
	b.await("document.getElementById('state').textContent === 'not connected'")
	source.happens("4")
	source.mu.Lock()
	source.state.Status, source.state.Reason = loop.StatusPassed, loop.Green
	source.mu.Unlock()
	b.forgive(true) // Chromium lists the connections that failed
	before := b.server
	b.serve(source, func(s *Server) { s.sessions.browsers = maps.Clone(before.sessions.browsers) })
	b.await("document.querySelector('#head .status').textContent.includes('passed')")
	b.await("document.getElementById('state').textContent === 'live'")
	source.happens("5")
	b.await("document.getElementById('log').textContent.includes('event 5;')")
	for n := 3; n <= 5; n++ {
		if got := b.eval(fmt.Sprintf("document.getElementById('log').textContent.split('event %d;').length - 1", n)); got != "1" {
			t.Errorf("event %d is shown %s times", n, got)
		}
	}
	if b.eval("window.same") != "true" {
		t.Error("the page was loaded anew")
	}
}

// happens adds an event to the journal.
func (f *fake) happens(n string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, Line{int64(len(f.events) + 1), "event " + n + ";"})
	f.mark = n
}

// serve begins a server where the one before was; change is applied to it first.
func (b *browser) serve(source *fake, change func(*Server)) {
	b.t.Helper()
	s, err := New(Options{Source: source, Name: "ralph-test.localhost", Now: func() time.Time { return now }, LookEvery: 20 * time.Millisecond})
	if err != nil {
		b.t.Fatal(err)
	}
	change(s)
	address := "127.0.0.1:" + b.port
	l, err := net.Listen("tcp", address)
	if err != nil {
		b.t.Fatal(err)
	}
	_, b.port, _ = net.SplitHostPort(l.Addr().String())
	ctx, stop := context.WithCancel(b.t.Context())
	served := make(chan struct{})
	go func() { defer close(served); _ = s.Serve(ctx, l) }()
	b.server, b.end = s, func() { stop(); <-served }
	b.t.Cleanup(func() { stop(); <-served })
}
