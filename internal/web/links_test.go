package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	hrefs = regexp.MustCompile(`<a\b[^>]*? href="([^"]*)"`)
	ids   = regexp.MustCompile(` id="([^"]*)"`)
)

// TestNoLinkIsDead follows every link from the Inbox on, and each link of what it finds.
func TestNoLinkIsDead(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	source.plan.Tasks[0].Loop, source.plan.Tasks[0].Repair = source.state.ID, ""
	s := newSite(t, source)
	seen := map[string]bool{"/": true}
	for open := []string{"/"}; len(open) > 0; open = open[1:] {
		at := open[0]
		w := s.get(at)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", at, w.Code)
		}
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		for _, link := range linksIn(t, at, w.Body.String()) {
			if !seen[link] {
				seen[link] = true
				open = append(open, link)
			}
		}
	}
	for _, want := range []string{
		"/r/shop-12ab/history", "/r/shop-12ab/runs/evil-loop/evidence", "/r/shop-12ab/runs/evil-loop/log.txt?source=output&attempt=1",
		"/r/shop-12ab/runs/evil-plan/log.txt?source=events&attempt=0",
	} {
		if !seen[want] {
			t.Errorf("no page has a link to %s", want)
		}
	}
}

// linksIn are the links of a page to pages of this server. A link to a place in the page
// must name one that is there.
func linksIn(t *testing.T, at, body string) (out []string) {
	t.Helper()
	page, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for _, m := range ids.FindAllStringSubmatch(body, -1) {
		places[html.UnescapeString(m[1])] = true
	}
	for _, m := range hrefs.FindAllStringSubmatch(body, -1) {
		href := html.UnescapeString(m[1])
		if place, here := strings.CutPrefix(href, "#"); here {
			if !places[place] {
				t.Errorf("%s: no place %q", at, href)
			}
			continue
		}
		to, err := page.Parse(href)
		if err != nil || to.IsAbs() {
			t.Errorf("%s: link %q: %v", at, href, err)
			continue
		}
		out = append(out, to.RequestURI())
	}
	return out
}
