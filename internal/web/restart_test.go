package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
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
	b.eval("document.getElementById('log').firstElementChild.id = 'kept'")
	source.happens("3")
	b.await("document.getElementById('log').textContent.includes('event 3;')")

	b.end()
	b.await("document.getElementById('state').textContent === 'not connected'")
	source.happens("4")
	source.mu.Lock()
	source.state.Status, source.state.Reason = loop.StatusPassed, loop.Green
	source.mu.Unlock()
	b.forgive(true) // Chromium lists the connections that failed
	b.serve(source)
	b.await("document.querySelector('#head .status').textContent.includes('passed')")
	b.await("document.getElementById('state').textContent === 'live'")
	source.happens("5")
	b.await("document.getElementById('log').textContent.includes('event 5;')")
	for n := 3; n <= 5; n++ {
		if got := b.eval(fmt.Sprintf("document.getElementById('log').textContent.split('event %d;').length - 1", n)); got != "1" {
			t.Errorf("event %d is shown %s times", n, got)
		}
	}
	if b.eval("window.same && document.getElementById('log').firstElementChild.id") != "kept" {
		t.Error("the page was loaded anew, or the lines that it had were replaced")
	}
}

// TestLogInBrowser folds and filters a log while it grows: what is added obeys both, and
// the page keeps the newest lines only.
func TestLogInBrowser(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	path := source.files().Output(1)
	write(t, path, "=== RUN A\nof a\n=== RUN B\nof b\n")
	b := startBrowser(t, source)
	b.do(chromedp.Navigate(b.base + "/r/shop-12ab/runs/evil-loop/log?source=output"))
	const shown = `[...document.getElementById("log").children].filter((l) => !l.hidden).map((l) => l.textContent.trim()).join()`
	expect := func(when, want string) {
		t.Helper()
		b.await(fmt.Sprintf("%s === %q", shown, want))
		b.quiet(when)
	}
	expect("at first", "=== RUN A,of a,=== RUN B,of b")
	b.eval(`document.getElementById("fold").click()`)
	expect("folded", "=== RUN A,=== RUN B")
	b.eval(`document.querySelectorAll(".head")[1].dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}))`)
	expect("unfolded by a key", "=== RUN A,=== RUN B,of b")
	more := "more of b\n=== RUN C\nof c\n"
	grown := "=== RUN A\nof a\n=== RUN B\nof b\n" + more
	// Appended: a file that is written again is empty for a moment, which begins a new log.
	if f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		t.Fatal(err)
	} else if _, err := f.WriteString(more + "hal"); errors.Join(err, f.Close()) != nil {
		t.Fatal(err)
	}
	expect("grown", "=== RUN A,=== RUN B,of b,more of b,=== RUN C")
	b.eval(`(f => { f.value = "OF"; f.dispatchEvent(new Event("input")); })(document.getElementById("filter"))`)
	expect("filtered", "of a,of b,more of b,of c")
	write(t, path, grown+strings.Repeat("=== RUN\n", mostLines)+"of d\n")
	expect("filtered and long", "of d")
	if n := b.eval(`document.getElementById("log").childElementCount`); n != fmt.Sprint(mostLines) {
		t.Errorf("%s lines are kept", n)
	}
}

// happens adds an event to the journal.
func (f *fake) happens(n string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, Line{int64(len(f.events) + 1), "event " + n + ";", false})
	f.mark = n
}

// serve begins a server where the one before was. It knows the browsers that are signed in.
func (b *browser) serve(source *fake) {
	b.t.Helper()
	s, err := New(Options{Source: machine{source}, Name: "ralph-test.localhost", Browsers: &b.signedIn, Now: func() time.Time { return now }, LookEvery: 20 * time.Millisecond})
	if err != nil {
		b.t.Fatal(err)
	}
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
