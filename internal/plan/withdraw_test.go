package plan

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestAQuestionWithoutItsSubject: what is not to be decided any more is not asked
// any more.
func TestAQuestionWithoutItsSubject(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	begun := func(id string, more ...Event) State {
		s := Begin("p", "p.md", "", "ralph/p/_landed", "c0", Rules{PerTask: 3, OnFailure: Ask, Parallel: 2})
		events := append([]Event{
			Read{Stamp: at, Tasks: []ReadTask{{ID: id, Digest: "1"}, {ID: "b", Digest: "1"}}}, Opened{Stamp: at, Owner: "me"},
		}, more...)
		return applied(t, s, events...)
	}
	failed := begun("a",
		Started{Stamp: at, Task: "a", Loop: "l", From: "c0", Most: 3},
		Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusFailed, Reason: loop.MaxAttempts, Attempts: 3},
	)
	failed = applied(t, failed, Asked{Stamp: at, Question: FailureQuestion(*failed.Task("a"))})
	claimed := begun("a", Read{Stamp: at, During: true, Tasks: []ReadTask{{ID: "a", Digest: "1", Status: Done}, {ID: "b", Digest: "1"}}})
	for name, tt := range map[string]struct {
		s    State
		gone Event
	}{
		"a task that failed has new words": {failed, Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "2"}, {ID: "b", Digest: "1"}}}},
		"a task that failed leaves":        {failed, Read{Stamp: at, Tasks: []ReadTask{{ID: "b", Digest: "1"}}}},
		"failures are tried again":         {failed, Resumed{Stamp: at, Retry: true}},
		"a tick is taken away":             {claimed, Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1"}, {ID: "b", Digest: "1"}}}},
		"more is to be done than was seen": {doubted(t, true), Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "1", Status: Done}, {ID: "new", Digest: "1"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.s.OpenQuestion() == nil {
				t.Fatal("nothing was asked")
			}
			s := applied(t, tt.s, tt.gone)
			if q := s.OpenQuestion(); q != nil || !s.Questions[0].Withdrawn {
				t.Errorf("%+v", s.Questions)
			}
			if _, err := Apply(s, Answered{Stamp: at, Text: "skip", By: "me"}); err == nil {
				t.Error("it was answered")
			}
			same := applied(t, tt.s, Read{Stamp: at, Tasks: readAgain(tt.s)})
			if same.OpenQuestion() == nil {
				t.Error("it does not wait any more, and nothing changed")
			}
		})
	}
}

func readAgain(s State) []ReadTask {
	var out []ReadTask
	for _, t := range s.Tasks {
		r := ReadTask{ID: t.ID, Digest: t.Digest, Status: t.Status}
		if t.Claimed {
			r.Status = Done
		}
		out = append(out, r)
	}
	return out
}

func applied(t *testing.T, s State, events ...Event) State {
	t.Helper()
	for _, e := range events {
		next, err := Apply(s, e)
		if err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		s = next
	}
	return s
}
