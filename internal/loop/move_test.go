package loop

import (
	"encoding/json"
	"testing"
	"time"
)

var (
	laptop = Home{Engine: LocalEngine, Place: "laptop:/src/shop", Machine: "1"}
	server = Home{Engine: "temporal://box:7233/shop?files=/mnt"}
)

// rested returns loops that rest, each in its way.
func rested(t *testing.T) map[string]State {
	t.Helper()
	all := map[string]State{}
	paused := newWorld(t, nil)
	paused.until(DoAgent)
	paused.do(PauseAsked{Stamp: paused.stamp(), By: NoOwner, Why: "not running"})
	paused.do(Interrupted{Stamp: paused.stamp(), Why: "no process runs the loop"})
	all["paused"] = paused.s
	all["passed"] = newWorld(t, nil).run()
	failed := newWorld(t, maxIterations(1))
	failed.gate = attempts(failing("x"))
	all["failed"] = failed.run()
	return all
}

func applyAll(t *testing.T, s State, events ...Event) State {
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

// TestMoveThereAndBack: a loop that moved stands where it stood, and only the store that it
// went to takes events.
func TestMoveThereAndBack(t *testing.T) {
	t.Parallel()
	for name, s := range rested(t) {
		at := Stamp{At: s.LastAt.Add(time.Minute)}
		leaving := applyAll(t, s, MoveBegan{Stamp: at, From: laptop, To: server})
		if _, to, moving := leaving.Moving(); !moving || !to.Same(server) || leaving.Status != Paused || Next(leaving).Do != DoNothing {
			t.Errorf("%s: leaving it is %s", name, leaving.Status)
		}
		left := applyAll(t, leaving, MovedAway{Stamp: at})
		if !left.Away() || !left.Status.Terminal() || left.Undecided() || left.Acceptable() {
			t.Errorf("%s: after it left it is %s (%s)", name, left.Status, left.Reason)
		}
		for where, st := range map[string]State{"leaving": leaving, "left": left, "copied in part": s.Incomplete(laptop, server)} {
			for _, e := range allEvents(at) {
				_, leaves := e.(MovedAway)
				_, arrives := e.(Arrived)
				if _, err := Apply(st, e); err == nil && !arrives && (!leaves || where != "leaving") {
					t.Errorf("%s, %s: %s is taken", name, where, e.Name())
				}
			}
		}
		there := applyAll(t, left, Arrived{Stamp: at})
		back := applyAll(t, there, MoveBegan{Stamp: at, From: server, To: laptop}, MovedAway{Stamp: at}, Arrived{Stamp: at})
		want := s
		want.Root, want.LastAt, want.LastUp, want.Origin = "", back.LastAt, back.LastUp, &server
		if diff := same(want, back); diff != "" {
			t.Errorf("%s: after a move there and back (-was +is)\n%s", name, diff)
		}
		if stays := applyAll(t, leaving, Arrived{Stamp: at}); stays.Status != s.Status || stays.Root != s.Root || stays.Origin != nil {
			t.Errorf("%s: a move that was given up left it %s", name, stays.Status)
		}
	}
}

// TestUnmoved: a state tells how the loop stands apart from its move, at every step.
func TestUnmoved(t *testing.T) {
	t.Parallel()
	for name, s := range rested(t) {
		at := Stamp{At: s.LastAt}
		leaving := applyAll(t, s, MoveBegan{Stamp: at, From: laptop, To: server})
		left := applyAll(t, leaving, MovedAway{Stamp: at})
		for where, st := range map[string]State{"": s, "leaving": leaving, "left": left, "partial": s.Incomplete(laptop, server), "partial and left": left.Incomplete(server, laptop)} {
			if got := st.Unmoved(); got.Status != s.Status || got.Reason != s.Reason || got.Message != s.Message || got.Move != nil || got.Partial != nil {
				t.Errorf("%s %s: %s (%s)", name, where, got.Status, got.Reason)
			}
		}
		if diff := same(left, left.Incomplete(server, laptop).Complete()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestMovesOfRecords: a move and a part of a record are written as every version wrote them.
func TestMovesOfRecords(t *testing.T) {
	t.Parallel()
	const (
		way    = `"from":{"engine":"local","place":"laptop:/src/shop","machine":"1"},"to":{"engine":"temporal://box:7233/shop"}`
		before = `"status":"waiting","reason":"human","message":"which?"`
	)
	for key, want := range map[string]string{
		"move":    `{` + way + `,"at":"2026-11-26T12:00:00Z",` + before + `}`,
		"partial": `{` + way + `,` + before + `}`,
	} {
		var s State
		if err := json.Unmarshal([]byte(`{"`+key+`":`+want+`}`), &s); err != nil {
			t.Fatal(err)
		}
		var keys map[string]json.RawMessage
		data, err := json.Marshal(s)
		if err == nil {
			err = json.Unmarshal(data, &keys)
		}
		if err != nil || string(keys[key]) != want {
			t.Errorf("%s is written as %s, %v", key, keys[key], err)
		}
	}
}

// TestImmovable: what needs one machine is not moved, and what does not rest neither.
func TestImmovable(t *testing.T) {
	t.Parallel()
	began := MoveBegan{Stamp: Stamp{At: noon.Add(time.Hour)}, From: laptop, To: server}
	for what, change := range map[string]func(*State){
		"in place":           func(s *State) { s.InPlace = true },
		"with changes":       func(s *State) { s.WithChanges = true },
		"copied files":       func(s *State) { s.Copy = []string{".env"} },
		"a hidden gate":      func(s *State) { s.Gates[0].Hidden = true },
		"a plan's":           func(s *State) { s.Parent = "plan" },
		"agent-driven":       func(s *State) { s.Mode = AgentDriven },
		"a session's budget": func(s *State) { s.SpentLevel = SessionLevel },
		"accepted":           func(s *State) { s.Accepted = "c" },
		"running":            func(s *State) { s.Status = Running },
		"an agent works":     func(s *State) { s.Began = true },
		"waits for a limit":  func(s *State) { s.Status, s.Reason = Waiting, ForLimit },
	} {
		s := rested(t)["paused"]
		change(&s)
		if _, err := Apply(s, began); err == nil {
			t.Errorf("%s: the move began", what)
		}
	}
	s := rested(t)["paused"]
	s.Status, s.Reason = Waiting, ForHuman
	applyAll(t, s, began)
	if _, err := Apply(s, MoveBegan{Stamp: began.Stamp, From: server, To: Home{Engine: "temporal://box:7233/shop"}}); err == nil {
		t.Error("it moved to where it is")
	}
}

// TestSameHome: a server is the same with another folder of files, a repository under another
// name of its host; two repositories of a machine are not, and two machines neither.
func TestSameHome(t *testing.T) {
	t.Parallel()
	renamed, second, other := laptop, laptop, laptop
	renamed.Place, second.Place, other.Machine = "notebook:/src/shop", "laptop:/src/other", "2"
	for _, c := range []struct {
		a, b Home
		want bool
	}{
		{server, Home{Engine: "temporal://box:7233/shop"}, true},
		{server, Home{Engine: "temporal://box:7233/other"}, false},
		{laptop, renamed, true},
		{laptop, second, false},
		{laptop, other, false},
		{laptop, server, false},
	} {
		if c.a.Same(c.b) != c.want || c.b.Same(c.a) != c.want {
			t.Errorf("%v and %v", c.a, c.b)
		}
	}
}
