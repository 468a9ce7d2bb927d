//go:build linux

package local_test

import (
	"path/filepath"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// TestSentWhileALoopChangesHands: what reaches a loop whose owner does not look any
// more, or does not look yet, is carried out, and by nobody twice.
func TestSentWhileALoopChangesHands(t *testing.T) {
	t.Parallel()
	answer := engine.Command{Kind: engine.Answer, Text: "three", By: "test"}
	steer := engine.Command{Kind: engine.Steer, Text: "Say three.", By: "test"}
	abort := engine.Command{Kind: engine.Abort, Text: "enough", By: "test"}
	pause := engine.Command{Kind: engine.Pause, By: "test"}
	tests := map[string]struct {
		// at the first such point, once do has begun, command is sent.
		at      string
		command engine.Command
		do      func(*testing.T, *local.Engine, string) (loop.State, error)
		want    loop.Status
	}{
		"an answer while the owner lets go":  {"before:release", answer, nil, loop.StatusPassed},
		"an abort while the owner lets go":   {"before:release", abort, nil, loop.Aborted},
		"a pause while the owner lets go":    {"before:release", pause, nil, loop.Paused},
		"an abort behind another command":    {"after:steered", abort, sends(steer), loop.Aborted},
		"guidance behind another command":    {"after:pause_asked", steer, sends(pause), loop.Paused},
		"a pause while it is being taken up": {"after:acquired", pause, resumes, loop.Paused},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, scene{max: 5, script: `attempts: [[{ask: {text: "Which?"}}], [{write: {path: answer.txt, text: "3\n"}}]]`})
			armed := tt.do == nil
			e, closed, err := o.wired(t.Context(), func(point string) {
				if armed && point == tt.at {
					armed = false
					w.leave(t, o.Spec.ID, tt.command)
				}
			})
			must(t, err)
			defer closed()

			s, err := e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{})
			must(t, err)
			if tt.do != nil {
				armed = true
				s, err = tt.do(t, e, o.Spec.ID)
				must(t, err)
			}
			if armed {
				t.Fatalf("there was no point %s", tt.at)
			}
			l, err := e.Show(t.Context(), o.Spec.ID)
			must(t, err)
			if l.State.Status != tt.want || l.Live {
				t.Errorf("%s/%s %s, live %v; want %s", l.State.Status, l.State.Reason, l.State.Message, l.Live, tt.want)
			}
			if tt.do == nil && s.Status != l.State.Status {
				t.Errorf("who ran it was told that it is %s", s.Status)
			}
			if tt.command.Kind == engine.Steer && len(l.State.Guidance) != 1 {
				t.Errorf("guidance %q", l.State.Guidance)
			}
		})
	}
}

func sends(c engine.Command) func(*testing.T, *local.Engine, string) (loop.State, error) {
	return func(t *testing.T, e *local.Engine, id string) (loop.State, error) { return e.Send(t.Context(), id, c) }
}

func resumes(t *testing.T, e *local.Engine, id string) (loop.State, error) {
	return e.Resume(t.Context(), id, engine.Options{}, engine.Drive{})
}

// leave puts a command into a loop's inbox, as somebody does who saw its owner.
func (w world) leave(t *testing.T, id string, c engine.Command) {
	t.Helper()
	repo, err := git.OpenEnv(t.Context(), w.repo(), environment())
	must(t, err)
	s, err := store.Open(t.Context(), filepath.Join(repo.CommonDir, "ralph"), store.Options{Owner: "other"})
	must(t, err)
	must(t, s.Send(t.Context(), id, c.Message()))
	must(t, s.Close())
}

// TestRefusedAnswerLeavesTheLoopAtRest: the answer of the inbox is taken, the one of the
// process that holds the loop for it is refused; the loop does not stay running.
func TestRefusedAnswerLeavesTheLoopAtRest(t *testing.T) {
	t.Parallel()
	w, o := newWorld(t, scene{max: 5, script: `attempts: [[{ask: {text: "Which?"}}], [{write: {path: answer.txt, text: "3\n"}}]]`})
	var armed bool
	e, closed, err := o.wired(t.Context(), func(point string) {
		if armed && point == "after:acquired" {
			armed = false
			w.leave(t, o.Spec.ID, engine.Command{Kind: engine.Answer, Text: "three", By: "first", Question: "q1"})
		}
	})
	must(t, err)
	defer closed()
	_, err = e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{Rests: true})
	must(t, err)
	armed = true
	_, err = e.Send(t.Context(), o.Spec.ID, engine.Command{Kind: engine.Answer, Text: "four", By: "second", Question: "q1"})
	if !refused(err) {
		t.Errorf("the second answer: %v", err)
	}
	l, err := e.Show(t.Context(), o.Spec.ID)
	must(t, err)
	if l.Live || l.State.Status != loop.Paused || l.State.Questions[0].Answer != "three" {
		t.Errorf("%s, live %v, %+v", l.State.Status, l.Live, l.State.Questions)
	}
}
