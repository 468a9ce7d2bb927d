package web

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// evil is what an agent or a repository may write anywhere: HTML, an end of an attribute,
// of a script and of a comment, an address that is code, and characters that turn text
// around.
const evil = "<img src=x onerror=alert(1)>\"'></script><svg onload=alert(2)>--><a href=\"javascript:alert(3)\">{{.}}\u202e**b** `c`\n# h\n```\n<b>x</b>\n"

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// fake is a repository.
type fake struct {
	mu      sync.Mutex
	root    string
	state   loop.State
	plan    plan.State
	events  []Line
	patch   string
	mark    string
	stale   bool
	replies []Reply
	ran     [][]string
	code    int
	// prints is what a command prints; evil where it is empty.
	prints string
}

// machine is a source with the one repository.
type machine struct{ Repository }

func (m machine) Repositories(context.Context) ([]Repository, error) {
	return []Repository{m.Repository}, nil
}

func (machine) Agents(context.Context) ([]view.Account, error) {
	return []view.Account{{Label: evil, Trouble: "spent until", Message: evil, Fix: evil, Until: now, Windows: []view.Window{{Name: "week", Used: 40}}}}, nil
}
func (f *fake) Key() string   { return "shop-12ab" }
func (f *fake) Title() string { return evil }
func (f *fake) Root() string  { return "/r/" + evil }

func (f *fake) Mark(context.Context) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mark, nil
}

func (f *fake) setMark(mark string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mark = mark
}

func (f *fake) item() view.Item { return view.Item{State: f.state} }

func (f *fake) planItem() view.PlanItem {
	return view.PlanItem{State: f.plan, Loops: []view.Item{f.item()}, Facts: view.PlanFacts{Texts: map[string]string{"q1": evil}}}
}

func (f *fake) Runs(context.Context) ([]view.Run, error) {
	return []view.Run{f.item().Run(now), f.planItem().Run(now)}, nil
}

func (f *fake) Ended(context.Context, int) ([]view.Run, int, error) {
	ended := f.state
	ended.Status, ended.Reason = loop.StatusFailed, loop.Stuck
	return []view.Run{view.Item{State: ended, Facts: view.Facts{Archived: true}}.Run(now)}, 7, nil
}

func (f *fake) Loop(_ context.Context, id string) (Loop, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id != f.state.ID {
		return Loop{}, ErrNotFound
	}
	return Loop{Loop: view.LoopOf(f.item(), now), Files: engine.Layout{Dir: f.root}, Seq: int64(len(f.events))}, nil
}

func (f *fake) Plan(_ context.Context, id string) (Plan, error) {
	if id != f.plan.ID {
		return Plan{}, ErrNotFound
	}
	return Plan{Plan: view.PlanOf(f.planItem(), now), Seq: int64(len(f.events))}, nil
}

func (f *fake) Events(_ context.Context, _ string, after int64) ([]Line, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []Line
	for _, e := range f.events {
		if e.Seq > after {
			out = append(out, e)
		}
	}
	return out[:min(len(out), engine.EventPage)], nil
}

func (f *fake) Diff(context.Context, string) ([]byte, bool, error) {
	return []byte(f.patch), false, nil
}

func (f *fake) Summary(context.Context) (view.Summary, error) {
	return view.Summarize(evil, []view.Item{f.item()}, []view.PlanItem{f.planItem()}, now), nil
}

func (f *fake) Settings(context.Context) ([]view.Setting, error) {
	return []view.Setting{{Key: evil, Value: evil, Origin: evil}}, nil
}

func (f *fake) Agents(context.Context) ([]string, error) { return []string{"claude", evil}, nil }

func (f *fake) Trust(context.Context) (string, error) { return evil, nil }

func (f *fake) Reply(_ context.Context, r Reply) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stale {
		return "", &StaleError{"answered already: \"half up\" by ann"}
	}
	f.replies = append(f.replies, r)
	return "answered " + r.Answer, nil
}

func (f *fake) Command(_ context.Context, args ...string) Result {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ran = append(f.ran, args)
	return Result{cmp.Or(f.prints, evil), f.code}
}

// hostile is a source in which every text that an agent or a repository writes is evil.
func hostile(t *testing.T) *fake {
	t.Helper()
	f := &fake{root: t.TempDir(), patch: "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ " + strings.ReplaceAll(evil, "\n", " ") + "\n-a\n+" + strings.ReplaceAll(evil, "\n", " ") + "\n"}
	fill(reflect.ValueOf(&f.state).Elem())
	fill(reflect.ValueOf(&f.plan).Elem())
	f.state.ID, f.state.Status, f.state.Reason, f.state.Mode = "evil-loop", loop.Waiting, loop.ForHuman, ""
	f.state.Iteration, f.state.StartedAt, f.state.Ending = 1, now.Add(-time.Hour), nil
	f.state.Move, f.state.Partial = nil, nil // one that moves is answered where it is
	f.state.Questions = []loop.Question{{ID: "q1", Text: evil, Options: []string{evil, "b"}, Default: evil, AskedAt: now.Add(-time.Minute)}}
	f.plan.ID, f.plan.Status, f.plan.Reason = "evil-plan", loop.Running, ""
	f.plan.Questions = []plan.Question{{Question: loop.Question{ID: "q1", Text: evil, Options: []string{evil}, AskedAt: now}, Task: evil, About: plan.AboutApproach}}
	f.events = []Line{{1, evil, true}, {2, evil, false}}
	write(t, f.files().Prompt(1), evil)
	write(t, f.files().Output(1), evil)
	write(t, f.files().Patch(1), f.patch)
	write(t, f.files().GateLog(1, f.state.Recent[0].Results[0].Gate, 0), evil)
	return f
}

func (f *fake) files() engine.Layout { return engine.Layout{Dir: f.root} }

func write(t *testing.T, path, words string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fill writes evil into every text, one element into every list, and time and numbers
// into the rest. Types with a name, such as a status, are closed sets and stay as they are.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(now.Add(-10 * time.Minute)))
			return
		}
		for _, field := range v.Fields() {
			if field.CanSet() {
				fill(field)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0))
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			v.SetString(evil)
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	}
}

// site is a server with a browser that is signed in.
type site struct {
	t      *testing.T
	server *Server
	source *fake
	cookie *http.Cookie
}

func newSite(t *testing.T, source *fake) *site {
	t.Helper()
	server, err := New(Options{Source: machine{source}, Name: "ralph-test.localhost", Browsers: &memory{}, Now: func() time.Time { return now }, LookEvery: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.hub.close)
	s := &site{t: t, server: server, source: source}
	link, _ := url.Parse(server.Link("http://ralph-test.localhost:1/"))
	w := s.post("/sign-in", url.Values{"code": {link.Query().Get("code")}})
	if len(w.Result().Cookies()) != 1 {
		t.Fatalf("signed in: %d %s", w.Code, w.Body)
	}
	s.cookie = w.Result().Cookies()[0]
	return s
}

// do sends a request as the browser would; change alters it first.
func (s *site) do(method, path string, form url.Values, change func(*http.Request)) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, "http://ralph-test.localhost:7879"+path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Origin", "http://ralph-test.localhost:7879")
	}
	if s.cookie != nil {
		r.AddCookie(s.cookie)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, r)
	return w
}

func (s *site) get(path string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.do(http.MethodGet, path, nil, nil)
}

func (s *site) post(path string, form url.Values) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.do(http.MethodPost, path, form, nil)
}
