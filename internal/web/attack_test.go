package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// everyPage is all that is shown of the fake.
var everyPage = []string{
	"/", "/agents", "/start", "/r/shop-12ab/report", "/r/shop-12ab/timeline", "/r/shop-12ab/history", "/r/shop-12ab/settings",
	"/r/shop-12ab/runs/evil-loop", "/r/shop-12ab/runs/evil-loop/log", "/r/shop-12ab/runs/evil-loop/log?source=agent", "/r/shop-12ab/runs/evil-loop/diff",
	"/r/shop-12ab/runs/evil-loop/prompt", "/r/shop-12ab/runs/evil-loop/attempts", "/r/shop-12ab/runs/evil-loop/evidence", "/r/shop-12ab/runs/evil-loop/state", "/r/shop-12ab/runs/evil-plan", "/r/shop-12ab/runs/evil-plan/log", "/r/shop-12ab/runs/evil-plan/diff",
}

// live is markup that only evil writes; the pages' own tags have none of it.
var live = regexp.MustCompile(`(?i)<img|<svg onload|<script>|onerror=alert\(1\)>|href="?javascript:|\x{202e}|<b>x</b>`)

// values are what a button sends: it is not shown, and must come back as it is.
var values = regexp.MustCompile(` value="[^"<>]*"`)

// TestForeignTextIsText: whatever an agent or a repository writes is shown as text.
func TestForeignTextIsText(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	for _, path := range everyPage {
		w := s.get(path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
			continue
		}
		body := values.ReplaceAllString(w.Body.String(), "")
		if i := live.FindStringIndex(body); i != nil {
			t.Errorf("%s: %q in …%s…", path, body[i[0]:i[1]], body[max(0, i[0]-80):min(len(body), i[1]+80)])
		}
		if !strings.Contains(w.Body.String(), "onerror=alert(1)") && path != "/start" && !strings.Contains(path, "evil-plan/") {
			t.Errorf("%s shows none of the text that it is to show", path)
		}
	}
	if w := s.post("/r/shop-12ab/runs/evil-loop/do/steer", url.Values{"text": {evil}}); live.MatchString(w.Body.String()) {
		t.Errorf("the output of a command is markup: %s", w.Body)
	}
}

// TestNothingWithoutASession: no page, no stream and no change without the cookie.
func TestNothingWithoutASession(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	for _, cookie := range []*http.Cookie{nil, {Name: cookieName, Value: ""}, {Name: cookieName, Value: NewSecret()}} {
		s.cookie = cookie
		s.server.strangers = rate{}
		for _, path := range append([]string{"/events", "/r/shop-12ab/runs/evil-loop/follow?source=events", "/r/shop-12ab/runs/evil-loop/log.txt?source=agent", "/nothing"}, everyPage...) {
			s.server.strangers = rate{}
			if w := s.get(path); w.Code != http.StatusUnauthorized || strings.Contains(w.Body.String(), "evil") {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
		s.server.strangers = rate{}
		if w := s.post("/r/shop-12ab/runs/evil-loop/do/abort", url.Values{}); w.Code != http.StatusUnauthorized || len(s.source.ran) > 0 {
			t.Errorf("abort: %d, ran %v", w.Code, s.source.ran)
		}
	}
}

// TestLinkSignsInOnce: not twice, not late, and not by looking at it.
func TestLinkSignsInOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	link, _ := url.Parse(s.server.Link("http://ralph-test.localhost:7879/"))
	code := url.Values{"code": {link.Query().Get("code")}}
	s.cookie = nil
	if w := s.get(signInPath + "?" + code.Encode()); w.Code != http.StatusOK || len(w.Result().Cookies()) > 0 {
		t.Fatalf("a program that previews the link got %d %v", w.Code, w.Result().Cookies())
	}
	w := s.post(signInPath, code)
	if c := w.Result().Cookies(); w.Code != http.StatusSeeOther || len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Domain != "" {
		t.Fatalf("signed in: %d %v", w.Code, c)
	}
	if w := s.post(signInPath, code); w.Code != http.StatusForbidden {
		t.Errorf("the link signs in twice: %d", w.Code)
	}
	if _, _, ok, _ := s.server.sessions.begin("", true, now); ok {
		t.Error("an empty code signs in")
	}
	later := s.server.sessions.newLink(now)
	if _, _, ok, _ := s.server.sessions.begin(later, true, now.Add(linkAge)); ok {
		t.Error("the link signs in after its time")
	}
}

// TestForeignNamesAndSites: DNS rebinding, cross-site requests, framing.
func TestForeignNamesAndSites(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	for host, code := range map[string]int{
		"evil.example": 421, "ralph-test.localhost.evil.example": 421, "": 421, "127.0.0.1.evil.example:7879": 421, "0.0.0.0:7879": 421, "other.localhost": 421,
		"127.0.0.1:7879": 200, "[::1]:7879": 200, "localhost": 200, "RALPH-TEST.localhost.:1": 200,
	} {
		if w := s.do("GET", "/", nil, func(r *http.Request) { r.Host = host }); w.Code != code {
			t.Errorf("Host %q: %d, want %d", host, w.Code, code)
		}
	}
	post := func(headers map[string]string) int {
		return s.do("POST", "/r/shop-12ab/runs/evil-loop/do/steer", url.Values{"text": {"x"}}, func(r *http.Request) {
			r.Header.Del("Origin")
			r.Header.Del("Sec-Fetch-Site")
			for k, v := range headers {
				r.Header.Set(k, v)
			}
		}).Code
	}
	for name, headers := range map[string]map[string]string{
		"another site": {"Sec-Fetch-Site": "cross-site"}, "another port of this name": {"Sec-Fetch-Site": "same-site"}, "an old browser": {"Origin": "http://evil.example"},
		"a sandboxed frame": {"Origin": "null"}, "no header": {}, "another port, old browser": {"Origin": "http://ralph-test.localhost:3000"},
	} {
		if code := post(headers); code != http.StatusForbidden || len(s.source.ran) > 0 {
			t.Errorf("a change caused by %s: %d", name, code)
		}
	}
	if code := post(map[string]string{"Sec-Fetch-Site": "same-origin"}); code != http.StatusOK {
		t.Errorf("a change of the page itself: %d", code)
	}
	embedded := s.do("GET", "/", nil, func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "same-site")
		r.Header.Set("Sec-Fetch-Mode", "no-cors")
	})
	if embedded.Code != http.StatusForbidden {
		t.Errorf("another site embeds a page: %d", embedded.Code)
	}
	for _, path := range append([]string{"/nothing", "/static/nothing", signInPath}, everyPage...) {
		h := s.get(path).Header()
		if h.Get("Content-Security-Policy") != policy || h.Get("X-Frame-Options") != "DENY" || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, h)
		}
	}
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Error(policy)
	}
}

// TestNoChangeByGet: every path that changes something refuses to be read.
func TestNoChangeByGet(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	for _, path := range []string{"/r/shop-12ab/runs/evil-loop/do/abort", "/r/shop-12ab/runs/evil-loop/answer?run=evil-loop&question=q1&option=b", "/sign-out", "/start?task=x&do=start"} {
		s.get(path)
	}
	if len(s.source.ran)+len(s.source.replies) > 0 || s.get("/").Code != http.StatusOK {
		t.Errorf("a GET changed something: %v %v", s.source.ran, s.source.replies)
	}
}

// TestPathsStayInside: names in paths and queries choose among what is there, and name no
// file.
func TestPathsStayInside(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	write(t, s.source.root+"/secret", "the secret")
	for _, path := range []string{
		"/static/..%2fsession.go", "/static/../../etc/passwd", "/r/shop-12ab/runs/..%2f..%2fsecret", "/r/..%2f/runs/evil-loop", "/r/shop-12ab/runs/evil-loop/..%2fsecret",
		"/r/shop-12ab/runs/evil-loop/log.txt?source=../../secret", "/r/shop-12ab/runs/evil-loop/log.txt?source=gate:../../../secret", "/r/shop-12ab/runs/evil-loop/log?source=gate:..%2f..%2fsecret&attempt=0",
		"/r/shop-12ab/runs/evil-loop/prompt?attempt=-1", "/r/shop-12ab/runs/evil-loop/log.txt?source=agent&attempt=99",
	} {
		if w := s.get(path); strings.Contains(w.Body.String(), "the secret") || w.Code >= 500 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestWhatIsTypedIsNoFlag: what a person types, or an attacker makes them paste, stays one
// argument.
func TestWhatIsTypedIsNoFlag(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	s.post("/r/shop-12ab/runs/evil-loop/do/steer", url.Values{"text": {"--trust"}})
	s.post("/r/shop-12ab/runs/evil-loop/do/abort", url.Values{"text": {"--yes\nX: y"}})
	s.post("/start", url.Values{"repo": {"shop-12ab"}, "task": {"--trust"}, "until": {"--yes\n--trust"}, "agent": {"--trust"}, "do": {"start"}})
	want := [][]string{
		{"steer", "--", "evil-loop", "--trust"},
		{"abort", "--reason=--yes\nX: y", "--", "evil-loop"},
		{"run", "--detach", "--agent=--trust", "--until=--yes", "--until=--trust", "--", "--trust"},
	}
	for i, args := range want {
		if i >= len(s.source.ran) || strings.Join(s.source.ran[i], "\x00") != strings.Join(args, "\x00") {
			t.Errorf("ran %q, want %q", s.source.ran, want)
			break
		}
	}
}

// TestBounds: large and many requests are refused, and those of strangers do not lock out
// a browser that is signed in.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	if w := s.post("/start", url.Values{"task": {strings.Repeat("x", mostBody)}}); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a large form: %d", w.Code)
	}
	mine := s.cookie
	s.cookie = nil
	last := 0
	for range perSecondOfStrangers + 5 {
		last = s.get("/").Code
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after many requests: %d", last)
	}
	if s.cookie = mine; s.get("/").Code != http.StatusOK {
		t.Error("strangers lock the user out")
	}
	for range mostStreams {
		s.server.streams.take()
	}
	if w := s.get("/events"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("one stream too many: %d", w.Code)
	}
}

// TestSharedNamesAreNotKept: a cookie of localhost reaches every program that listens
// there; it does not outlive the server, as one of the own name does.
func TestSharedNamesAreNotKept(t *testing.T) {
	t.Parallel()
	for host, kept := range map[string]bool{"ralph-test.localhost:7879": true, "localhost:7879": false, "127.0.0.1:7879": false, "[::1]:7879": false, "LOCALHOST.:1": false} {
		s := newSite(t, hostile(t))
		link, _ := url.Parse(s.server.Link("http://x/"))
		w := s.do("POST", signInPath, url.Values{"code": {link.Query().Get("code")}}, func(r *http.Request) {
			r.Host = host
			r.Header.Set("Origin", "http://"+host)
		})
		if w.Code != http.StatusSeeOther {
			t.Fatalf("%s: %d", host, w.Code)
		}
		session := w.Result().Cookies()[0].Value
		if !s.server.sessions.known(session, now) || s.server.o.Browsers.Used(idOf(session), now) != kept {
			t.Errorf("%s: kept is not %v", host, kept)
		}
	}
}

// TestMemoryIsBounded: of too many browsers the oldest is signed out, and one that was not
// used for a week.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	var m memory
	for n := range MostSessions + 1 {
		_ = m.Add(string(rune('A'+n)), now.Add(time.Duration(n)*time.Second))
	}
	if m.Used("A", now) || !m.Used("B", now.Add(time.Minute)) || len(m.all) != MostSessions {
		t.Errorf("%d browsers", len(m.all))
	}
	if m.Used("B", now.Add(SessionAge+time.Hour)) {
		t.Error("a browser is signed in a week after its last use")
	}
}

// TestSignOut: the cookie is worth nothing afterwards.
func TestSignOut(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	s.post("/sign-out", url.Values{})
	if w := s.get("/"); w.Code != http.StatusUnauthorized {
		t.Errorf("after signing out: %d", w.Code)
	}
}
