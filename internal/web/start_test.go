package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestStartNamesItsRun: the page links the loop or plan that was started, and does not claim
// a start where the command had nothing to do.
func TestStartNamesItsRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ do, prints, title, link string }{
		"a loop":        {"start", "  ralph status evil-loop\nevil-loop\n", "Started", "/r/shop-12ab/runs/evil-loop"},
		"a plan":        {"start", "evil-plan\n", "Started", "/r/shop-12ab/runs/evil-plan"},
		"archived":      {"start", "plan.md is archived: there is nothing to do\n", "Nothing was started", ""},
		"another's run": {"start", "no-such-run\n", "Nothing was started", ""},
		"a dry run":     {"dry", "evil-loop\n", "This would be started", ""},
	} {
		source := hostile(t)
		source.prints = c.prints
		w := newSite(t, source).post("/start", url.Values{"repo": {"shop-12ab"}, "task": {"plan.md"}, "do": {c.do}})
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, `<p class="ok">`+c.title+"</p>") {
			t.Errorf("%s: %d, no %q in %s", name, w.Code, c.title, body)
		}
		if linked := strings.Contains(body, "Open the run"); linked != (c.link != "") || linked && !strings.Contains(body, `href="`+c.link+`"`) {
			t.Errorf("%s: no link to %q in %s", name, c.link, body)
		}
	}
}
