//go:build server

package main

import (
	"context"
	"encoding/json"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"ralph/internal/testing/runnable"
)

// pages are those of a ralph web of a user, in a browser that has signed in.
type pages struct {
	scene
	client http.Client
	base   string
}

// web starts ralph web as the user of a clone, and signs in.
func (s scene) web(clone string, more ...string) *pages {
	s.Helper()
	cmd := s.program("user-"+clone, append([]string{"web", "--json"}, more...)...)
	cmd.Dir = s.at(clone)
	log, err := os.Create(s.at("log-web-" + clone))
	if err != nil {
		s.Fatal(err)
	}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { s.end(cmd); _ = log.Close() })
	var printed struct{ Link, URL string }
	if err := json.NewDecoder(out).Decode(&printed); err != nil {
		s.Fatalf("%v\n%s", err, s.logs())
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.Fatal(err)
	}
	link, err := url.Parse(printed.Link)
	if err != nil {
		s.Fatal(err)
	}
	// The name of the server is one below localhost, which only browsers look up.
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", link.Port()))
	}
	p := &pages{scene: s, client: http.Client{Jar: jar, Transport: &http.Transport{DialContext: dial}}, base: strings.TrimSuffix(printed.URL, "/")}
	if code, page := p.post("/sign-in", url.Values{"code": {link.Query().Get("code")}}); code != http.StatusOK {
		s.Fatalf("signing in: %d %s", code, page)
	}
	return p
}

func (s scene) end(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
}

func (p *pages) get(path string) (int, string) {
	p.Helper()
	return p.ask(http.MethodGet, path, nil)
}

func (p *pages) post(path string, form url.Values) (int, string) {
	p.Helper()
	return p.ask(http.MethodPost, path, form)
}

func (p *pages) ask(method, path string, form url.Values) (int, string) {
	p.Helper()
	r, err := http.NewRequestWithContext(p.Context(), method, p.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", p.base)
	}
	got, err := p.client.Do(r)
	if err != nil {
		p.Fatalf("%s %s: %v\n%s", method, path, err, p.logs())
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		p.Fatal(err)
	}
	return got.StatusCode, html.UnescapeString(string(text))
}

// shows waits for a page to have some words, and returns it.
func (p *pages) shows(path, words string) (page string) {
	p.Helper()
	p.until(path+" shows "+words, func() bool {
		_, page = p.get(path)
		return strings.Contains(page, words)
	})
	return page
}

// links finds the pages of runs in a page; hidden the fields of forms.
var (
	links  = regexp.MustCompile(`href="(/r/[^/"]+/runs/[^/"]+)"`)
	hidden = regexp.MustCompile(`<input type="(?:hidden|checkbox)" name="([^"]+)" value="([^"]*)">`)
)

// path is that of a run in the list.
func (p *pages) path(id string) string {
	p.Helper()
	for _, m := range links.FindAllStringSubmatch(p.shows("/", id), -1) {
		if strings.HasSuffix(m[1], "/"+id) {
			return m[1]
		}
	}
	p.Fatalf("the list has no link to %s", id)
	return ""
}

// does sends a form of a page with its hidden fields and ticks, and fails unless it is done.
func (p *pages) does(path, action string, more url.Values) string {
	p.Helper()
	_, page := p.get(path)
	_, form, found := strings.Cut(page, `action="`+path+"/"+action+`"`)
	if !found {
		p.Fatalf("%s does not offer %s:\n%s", path, action, page)
	}
	form, _, _ = strings.Cut(form, "</form>")
	fields := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(form, -1) {
		fields.Add(m[1], m[2])
	}
	for name, values := range more {
		fields[name] = values
	}
	code, page := p.post(path+"/"+action, fields)
	if code != http.StatusOK {
		p.Fatalf("%s: %d\n%s\n%s", action, code, page, p.logs())
	}
	return page
}

// asker is an agent that asks before it works. It finds ralph on the PATH of its worker.
func (s scene) asker() {
	s.Helper()
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	if err := os.Mkdir(s.at("bin"), 0o700); err != nil {
		s.Fatal(err)
	}
	script := "#!/bin/sh\n" + asProgram + "=1 exec " + self + ` "$@"` + "\n"
	if err := runnable.Write(s.at("bin/ralph"), script); err != nil {
		s.Fatal(err)
	}
	s.write("asks.sh", "PATH="+s.at("bin")+`:$PATH
case "$(cat)" in
*"Questions that were answered"*) echo red > result ;;
*) ralph ask 'Which colour?' --option red --option blue ;;
esac
`)
}

// TestWeb: the pages show the runs of a team in a clone that started none of them, and
// their buttons answer, steer, pause, abort, start and accept, and wait for no process of
// this machine.
func TestWeb(t *testing.T) {
	s := newScene(t)
	s.asker()
	s.worker("one", "--slots", "2")
	p := s.web("b")
	s.ralph("a", 0, "run", "paint it", "--until", "test -s result", "--agent-cmd", "sh "+s.at("asks.sh"),
		"--max-iterations", "2", "--loop-id", "paint", "--sandbox", "off", "-d")
	s.start()

	paint, make := p.path("paint"), p.path("make")
	p.shows(paint, "Which colour?")
	if page := p.does(paint, "answer", url.Values{"option": {"blue"}}); !strings.Contains(page, `answered "blue"`) {
		t.Errorf("answered: %s", page)
	}
	p.shows(paint, "passed</span>")
	p.shows(paint+"/log", "answered")
	p.does(paint, "do/accept", nil)
	if got, err := os.ReadFile(s.at("b/result")); err != nil || string(got) != "red\n" {
		t.Errorf("accepted: %q, %v", got, err)
	}

	s.until("the agent works", s.exists("started"))
	p.does(make, "do/steer", url.Values{"text": {"mind the gap"}})
	p.shows(make+"/log", "mind the gap")
	p.does(make, "do/pause", nil)
	p.shows(make, "pauses after this step")
	p.does(make, "do/abort", url.Values{"text": {"enough"}})
	p.shows(make, "enough")
	s.ralph("a", 1, "wait", "make")

	fields := url.Values{
		"task": {"make it again"}, "until": {"test -e result"}, "do": {"start"}, "agent": {"painter"}, "repo": {strings.Split(make, "/")[2]},
	}
	if err := os.MkdirAll(s.at("config-user-b/ralph"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("config-user-b/ralph/config.yaml", "version: 1\nagents:\n  painter: {use: command, run: 'sh "+s.at("asks.sh")+"'}\nsandbox: \"off\"\n")
	code, page := p.post("/start", fields)
	if code != http.StatusOK || !strings.Contains(page, "Started") {
		t.Fatalf("started: %d %s", code, page)
	}
	p.shows("/", "make it again")
}

// TestWebOfPlan: the pages show a plan of the team with its tasks, and accept it.
func TestWebOfPlan(t *testing.T) {
	s := planned(t)
	s.worker("one")
	p := s.web("a")
	id := s.startPlan()
	plan := p.path(id)
	p.shows(plan, "running")
	s.write("go", "")
	p.shows(plan, "passed</span>") // the status; the chart of a running plan has tasks that passed
	if page := p.shows(plan, "second"); !strings.Contains(page, id+"-task-2") {
		t.Errorf("the plan has no link to its loop: %s", page)
	}
	p.does(plan, "do/accept", nil)
	if out := s.git(s.at("a"), "show", "HEAD:plan.md"); strings.Count(out, "- [x]") != 2 {
		t.Errorf("the accepted plan:\n%s", out)
	}
}

// TestWebWithoutServer: while the server is away the pages say so, and show the runs again
// when it is back.
func TestWebWithoutServer(t *testing.T) {
	s := newScene(t)
	s.start()
	link := newProxy(t, embedded.GetFrontendHostPort())
	p := s.through(link).web("b")
	p.path("make")
	link.set(true)
	p.shows("/", "does not answer")
	link.set(false)
	p.path("make")
}

// TestServe: serve tells a user what happens to the loops and plans of the team, which ran
// on no machine of the user, and refuses to watch where nobody would be told.
func TestServe(t *testing.T) {
	s := planned(t)
	if out := s.ralph("b", 64, "serve"); !strings.Contains(out, "no notify.targets") {
		t.Errorf("without targets: %s", out)
	}
	if err := os.MkdirAll(s.at("config-user-b/ralph"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := runnable.Write(s.at("hook"), "#!/bin/sh\ncat >> "+s.at("told")+"\n"); err != nil {
		t.Fatal(err)
	}
	s.write("config-user-b/ralph/config.yaml", "version: 1\nnotify:\n  debounce: 1s\n  targets:\n    hook: {to: 'exec:"+s.at("hook")+"', events: all}\n")
	serve := s.program("user-b", "serve")
	serve.Dir = s.at("b")
	log, err := os.Create(s.at("log-serve"))
	if err != nil {
		t.Fatal(err)
	}
	serve.Stdout, serve.Stderr = log, log
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.end(serve); _ = log.Close() })
	s.until("serve watches", func() bool { return strings.Contains(s.log("serve"), "watching the runs of the team") })
	s.write("go", "")
	s.worker("one")
	s.start()
	id := s.startPlan()
	told := func(event, run string) func() bool {
		return func() bool {
			data, _ := os.ReadFile(s.at("told"))
			for line := range strings.Lines(string(data)) {
				if strings.Contains(line, event) && strings.Contains(line, run) {
					return true
				}
			}
			return false
		}
	}
	s.until("the end of the loop is told", told("loop_failed", "make"))
	s.until("the end of the plan is told", told("plan_ended", id))
	if out := s.ralph("b", 0, "notify", "status"); !strings.Contains(out, "hook") {
		t.Errorf("notify status: %s", out)
	}
}
