package loop

import "testing"

func restored(w *world, commit string) Restored {
	return Restored{Stamp: w.stamp(), Checkpoint: 1, Commit: commit, Kept: "archive/x"}
}

func TestRestoring(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"restore/an attempt that was not judged begins anew under its number", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"), passing())
			w.until(DoAgent)
			w.turn()
			for w.until(DoCommit); w.s.Iteration < 2; w.until(DoCommit) {
				w.turn()
			}
			w.turn()
			w.do(Interrupted{Stamp: w.stamp(), Why: "crash"})
			w.do(restored(w, "r1"))
			a := Next(w.s)
			if a.Do != DoAgent || a.Attempt != 2 || w.s.Commit != "r1" || len(w.s.Last().Results) != 0 || w.s.Last().Commit != "" {
				t.Errorf("next %s of attempt %d on %s, %+v", a.Do, a.Attempt, w.s.Commit, w.s.Last())
			}
			if first := w.s.Recent[0]; first.Verdict != Failed || first.Commit == "" {
				t.Errorf("what was judged is forgotten: %+v", first)
			}
			w.ends(StatusPassed, Green, 2)
		}},
		{"restore/while paused, and it stays paused", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(PauseAsked{Stamp: w.stamp()})
			w.do(Interrupted{Stamp: w.stamp()})
			w.do(restored(w, "r1"))
			w.is(Paused, "")
			w.do(Resumed{w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
		{"restore/not under an agent, before the work, after the end, or without a commit", func(t *testing.T) {
			w := newWorld(t, nil)
			w.refuses(restored(w, "r1"))
			w.until(DoAgent)
			w.refuses(restored(w, ""))
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.refuses(restored(w, "r1"))
			w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndDone}})
			w.until(DoTidy)
			w.refuses(restored(w, "r1"))
			w.ends(StatusPassed, Green, 1)
			w.refuses(restored(w, "r1"))
		}},
		{"restore/not in a tree of the user's", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) { s.InPlace = true })
			w.until(DoAgent)
			w.refuses(restored(w, "r1"))
		}},
	})
}

func TestWhyItIsPaused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.agent = once(Outcome{End: EndAsked, Question: &Question{Text: "Which?"}})
	w.run()
	w.do(Answered{Stamp: w.stamp(), Text: "this"})
	w.do(PauseAsked{Stamp: w.stamp(), Why: "answered"})
	w.do(Interrupted{Stamp: w.stamp()})
	if w.is(Paused, ""); w.s.Message != "answered" {
		t.Errorf("it says %q", w.s.Message)
	}
	w.do(Resumed{w.stamp()})
	w.do(PauseAsked{Stamp: w.stamp()})
	w.do(Interrupted{Stamp: w.stamp()})
	if w.s.Message != pausedWords {
		t.Errorf("the second pause says %q", w.s.Message)
	}
}
