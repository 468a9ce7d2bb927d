package web

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	clog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"ralph/internal/loop"
)

// browser is a Chromium that is signed in, and what it complained about: errors of
// scripts, and violations of the content policy.
type browser struct {
	t    *testing.T
	ctx  context.Context
	base string
	// server is the present one, on port; end ends it.
	server *Server
	port   string
	end    func()
	// signedIn outlives the servers.
	signedIn memory

	mu         sync.Mutex
	complaints []string
}

// startBrowser opens the link of a server that really listens.
func startBrowser(t *testing.T, source *fake) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("Chromium is not installed: apt-get install chromium")
	}
	b := &browser{t: t, port: "0"}
	b.serve(source)
	allocated, free := chromedp.NewExecAllocator(t.Context(), chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(time.Minute))
	t.Cleanup(free)
	tab, closed := chromedp.NewContext(allocated)
	t.Cleanup(closed)
	tab, late := context.WithTimeout(tab, 3*time.Minute)
	t.Cleanup(late)
	b.ctx, b.base = tab, "http://ralph-test.localhost:"+b.port
	b.do(chromedp.Navigate("about:blank"))
	if err := chromedp.Listen(tab, b.hear); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(b.server.Link(b.base)), chromedp.WaitVisible(chromedp.CSS("#summary")))
	return b
}

func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, "exception: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.complaints = append(b.complaints, fmt.Sprint("console: ", e.Type))
	case *clog.EventEntryAdded:
		b.complaints = append(b.complaints, "log: "+e.Entry.Text+" "+e.Entry.URL)
	}
}

// quiet fails the test if the browser complained, and forgets it.
func (b *browser) quiet(where string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.complaints) > 0 {
		b.t.Errorf("%s: %s", where, strings.Join(b.complaints, "\n"))
	}
	b.complaints = nil
}

// forgive forgets what the browser complained about, where the test wants that.
func (b *browser) forgive(wanted bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if wanted {
		b.complaints = nil
	}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) eval(script string) string {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// await waits until a script is true.
func (b *browser) await(script string) {
	b.t.Helper()
	for b.eval("Boolean("+script+")") != "true" {
		select {
		case <-b.ctx.Done():
			b.t.Fatalf("not true in time: %s\n%s", script, b.eval("document.body.innerText"))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// TestBrowser gives an answer, has another one refused, and sees a change arrive by itself
// while something is typed.
func TestBrowser(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	b := startBrowser(t, source)
	run := b.base + "/r/shop-12ab/runs/evil-loop"
	b.do(chromedp.Navigate(run), chromedp.Click(chromedp.CSS(".card button[value=b]")), chromedp.WaitVisible(chromedp.CSS("dialog")))
	if got := b.eval("document.querySelector('dialog').innerText"); !strings.Contains(got, "answered b") || len(source.replies) != 1 {
		t.Errorf("answered: %q %v", got, source.replies)
	}
	b.quiet("an answer")
	source.mu.Lock()
	source.stale = true
	source.mu.Unlock()
	b.do(chromedp.Click(chromedp.CSS("dialog button")), chromedp.Click(chromedp.CSS(".card button[value=b]")), chromedp.WaitVisible(chromedp.CSS("dialog")))
	if got := b.eval("document.querySelector('dialog').innerText"); !strings.Contains(got, "by ann") {
		t.Errorf("a stale answer: %q", got)
	}
	b.forgive(true) // Chromium lists the 409 itself

	b.do(chromedp.Navigate(run))
	b.await("document.getElementById('state').textContent === 'live'")
	b.eval("document.querySelector('[name=text]').value = 'half a sentence'")
	b.eval("window.same = true")
	source.mu.Lock()
	source.state.Status, source.state.Reason, source.mark = loop.StatusPassed, loop.Green, "2"
	source.mu.Unlock()
	b.await("document.querySelector('#head .status').textContent.includes('passed')")
	if b.eval("window.same") != "true" {
		t.Error("the page was loaded anew")
	}
	if b.eval("document.querySelector('[name=text]')?.value") != "half a sentence" {
		t.Error("what was being typed is gone")
	}
	b.quiet("a change")
}

// TestWithoutJavaScript: reading and answering are forms and links.
func TestWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	page := s.get("/r/shop-12ab/runs/evil-loop").Body.String()
	for _, want := range []string{`<form method="post" action="/r/shop-12ab/runs/evil-loop/answer"`, `name="question" value="q1@`, `<button class="main" name="option" value="b">`, `action="/r/shop-12ab/runs/evil-loop/do/steer"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	w := s.post("/r/shop-12ab/runs/evil-loop/answer", map[string][]string{"run": {"evil-loop"}, "question": {"q1@1"}, "option": {"b"}})
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "answered b") || len(s.source.replies) != 1 || s.source.replies[0] != (Reply{"evil-loop", "q1@1", "b"}) {
		t.Errorf("%d %v %s", w.Code, s.source.replies, w.Body)
	}
	s.source.stale = true
	w = s.post("/r/shop-12ab/runs/evil-loop/answer", map[string][]string{"run": {"evil-loop"}, "question": {"q1@1"}, "option": {"b"}})
	if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "by ann") {
		t.Errorf("stale: %d %s", w.Code, w.Body)
	}
}
