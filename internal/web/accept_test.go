package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestAcceptOfWhatWasShown: the form carries the commit that the page showed; other work
// than that is refused, and so is what was accepted meanwhile, with what happened.
func TestAcceptOfWhatWasShown(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	source.state.Status, source.state.Reason, source.state.Accepted = loop.StatusPassed, loop.Green, ""
	source.state.Commit, source.state.Parent, source.state.RetriedBy = strings.Repeat("a", 40), "", ""
	s := newSite(t, source)
	const path = "/r/shop-12ab/runs/evil-loop"
	page := s.get(path).Body.String()
	if !strings.Contains(page, `name="commit" value="`+source.state.Commit+`"`) {
		t.Fatalf("the form names no commit: %s", page)
	}
	var look []string
	for _, c := range source.state.Concerns() {
		look = append(look, string(c.Code))
	}
	accept := func(commit string) (int, string) {
		w := s.post(path+"/do/accept", url.Values{"commit": {commit}, "look": look})
		return w.Code, w.Body.String()
	}
	for _, commit := range []string{"", strings.Repeat("b", 40)} {
		if code, body := accept(commit); code != http.StatusConflict || len(source.ran) > 0 {
			t.Errorf("work %q is accepted, which the page did not show: %d %s", commit, code, body)
		}
	}
	if code, body := accept(source.state.Commit); code != http.StatusOK || len(source.ran) != 1 || source.ran[0][1] != "--commit="+source.state.Commit {
		t.Errorf("accept: %d %v %s", code, source.ran, body)
	}
	source.state.Accepted = strings.Repeat("c", 40)
	if code, body := accept(source.state.Commit); code != http.StatusConflict || !strings.Contains(body, "accepted as ccccccc") {
		t.Errorf("accepted meanwhile: %d %s", code, body)
	}
}
