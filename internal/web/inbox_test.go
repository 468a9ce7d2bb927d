package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/view"
)

// crowded is a repository with many runs in each group.
type crowded struct {
	*fake
	each int
}

func (c crowded) Runs(context.Context) ([]view.Run, error) {
	var out []view.Run
	for n := range c.each {
		for _, s := range []loop.State{
			{Status: loop.Waiting, Reason: loop.ForHuman}, {Status: loop.StatusPassed, Reason: loop.Green}, {Status: loop.Running}, {Status: loop.StatusPassed, Reason: loop.Green, Accepted: "c0ffee"},
		} {
			s.ID = fmt.Sprintf("reject-expired-tokens-%s-%d", s.Status, n)
			s.Task.Text = "Reject expired tokens in the session middleware, and say so in the response"
			s.Questions = []loop.Question{{ID: "q1", Text: "Is a token that expires in this second expired?", AskedAt: now, Answered: s.Status == loop.Running}}
			s.StartedAt, s.EndedAt = now.Add(-time.Hour), now
			out = append(out, view.Item{State: s}.Run(now))
		}
	}
	return out, nil
}

// TestInboxIsBounded: hundreds of runs in each group make a page of at most 150 kB, which
// counts all of them.
func TestInboxIsBounded(t *testing.T) {
	t.Parallel()
	source := crowded{hostile(t), 500}
	server, err := New(Options{Source: machine{source}, Name: "ralph-test.localhost", Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, source.fake)
	server.sessions.browsers = s.server.sessions.browsers
	s.server = server
	w := s.get("/")
	if w.Code != http.StatusOK || w.Body.Len() > 150_000 {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
	if n := strings.Count(w.Body.String(), `<span class="count">500</span>`); n < 3 {
		t.Errorf("%d groups count all of their runs", n)
	}
	if n := strings.Count(w.Body.String(), "and 460 more"); n < 3 {
		t.Errorf("%d groups tell how many are not shown", n)
	}
}

// TestCommandsNameTheirRepository where there are several.
func TestCommandsNameTheirRepository(t *testing.T) {
	t.Parallel()
	one := crowded{hostile(t), 1}
	for n, want := range []string{"ralph ", "ralph -C "} {
		repos := []Repository{one, one}[:n+1]
		runs, troubles := collect(t.Context(), repos)
		if len(troubles) > 0 || len(runs) != 4*len(repos) {
			t.Fatalf("%d runs, %v", len(runs), troubles)
		}
		for _, r := range runs {
			if r.Next != "" && (!strings.HasPrefix(r.Next, want) || strings.HasPrefix(r.Next, "ralph -C ") != (n > 0)) {
				t.Errorf("of %d repositories: %s", len(repos), r.Next)
			}
		}
	}
}
