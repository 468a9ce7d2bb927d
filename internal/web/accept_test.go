package web

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
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

// TestFailedPlan: the page of a plan that failed does what a terminal is told to type: it
// accepts what landed, and tries the rest again with the flags that the plan has.
func TestFailedPlan(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	p := &source.plan
	p.Status, p.Reason, p.Accepted, p.Clash, p.Questions = loop.StatusFailed, plan.SomeFailed, "", nil, nil
	p.Base, p.Tip = strings.Repeat("b", 40), strings.Repeat("a", 40)
	p.File, p.Rules.Flags = "plan.md", []string{"--agent-cmd", "sh -c 'a b'", "--trust-plan"}
	s := newSite(t, source)
	const path = "/r/shop-12ab/runs/evil-plan"
	page := s.get(path).Body.String()
	for _, want := range []string{"Accept what landed", "Try the rest again", "<code>ralph run "} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	look := []string{string(loop.ConcernPartial)}
	for _, c := range p.Concerns() {
		look = append(look, string(c.Code))
	}
	for verb, want := range map[string]string{
		"accept": "--allow=" + strings.Join(look, ",") + " -- evil-plan",
		"retry":  "run --agent-cmd sh -c 'a b' --trust-plan --detach -- plan.md",
	} {
		source.ran = nil
		w := s.post(path+"/do/"+verb, url.Values{"commit": {p.Tip}, "look": look})
		if w.Code != http.StatusOK || len(source.ran) != 1 || !strings.HasSuffix(strings.Join(source.ran[0], " "), want) {
			t.Errorf("%s: %d %q %s", verb, w.Code, source.ran, w.Body.String())
		}
	}
	p.Rules.Flags, p.Status, p.Reason = nil, loop.Aborted, loop.Budget
	if page = s.get(path).Body.String(); strings.Contains(page, "Try the rest again") || !strings.Contains(page, "…") {
		t.Error("a value that a person has to fill in has a button")
	}
}

// TestRetryWithItsWork: the page of a loop whose work was refused offers the retry that show
// names, beside the one that starts anew; files to permit are filled in, and are no flags.
func TestRetryWithItsWork(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	l := &source.state
	l.Status, l.Reason, l.Accepted, l.FailureRef, l.Questions = loop.StatusFailed, loop.MaxAttempts, "", "wip/x", nil
	l.Parent, l.RetriedBy, l.Task.Plan = "", "", nil
	l.Recent = []loop.Attempt{{N: 1, Verdict: loop.Failed, FailedGate: loop.FailedProof, Proof: &loop.Proof{Undone: []string{"a.py"}, UndoneCount: 1}}}
	l.Iteration = 1
	s := newSite(t, source)
	const path = "/r/shop-12ab/runs/evil-loop"
	try := func(command, text, want string) {
		t.Helper()
		source.ran = nil
		if page := s.get(path).Body.String(); !strings.Contains(page, "<code>"+html.EscapeString(command)+"   # if its work is right</code>") || !strings.Contains(page, "<code>ralph retry evil-loop</code>") {
			t.Errorf("the page has no %s", command)
		}
		w := s.post(path+"/do/retry-work", url.Values{"text": {text}})
		if w.Code != http.StatusOK || len(source.ran) != 1 || strings.Join(source.ran[0], " ") != want {
			t.Errorf("%s: %d %q", command, w.Code, source.ran)
		}
	}
	try("ralph retry evil-loop --with-work --proof none", "", "retry evil-loop --with-work --proof none --detach")
	l.Recent[0].Refused = []loop.Concern{{Code: "weak"}}
	try("ralph retry evil-loop --with-work --refuse none", "", "retry evil-loop --with-work --refuse none --detach")
	judged := loop.Result{Gate: "tests", Verdict: loop.Failed, Judging: &loop.Judging{SetAside: []string{"tests/a b.py"}, Changed: 1}}
	l.Recent[0] = loop.Attempt{N: 1, Verdict: loop.Failed, FailedGate: "tests", Results: []loop.Result{judged}}
	try("ralph retry evil-loop --with-work --may-change 'tests/a b.py'", "", "retry evil-loop --with-work --may-change tests/a b.py --detach")
	judged.Judging.SetAside[0] = "tests/*.py"
	try(`ralph retry evil-loop --with-work --may-change "…"`, "--yes", "retry evil-loop --with-work --may-change --yes --detach")
}
