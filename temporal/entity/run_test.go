package entity

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// owned is a run that owner "a" has acquired.
func owned() *Run {
	return &Run{ID: "run", Epoch: 1, Live: true, Owner: owner("a"), State: json.RawMessage("{}")}
}

func owner(token string) Owner {
	return Owner{Token: token, Queue: "q-" + token, Heartbeat: time.Second}
}

// refused checks the type of a refusal; "" is none.
func refused(t *testing.T, what string, err error, want string) {
	t.Helper()
	got := ""
	if e, ok := err.(*temporal.ApplicationError); ok { //nolint:errorlint // returned unwrapped
		got = e.Type()
	}
	if got != want || (err == nil) != (want == "") {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

func TestAcquire(t *testing.T) {
	t.Parallel()
	r := owned()
	refused(t, "by another one", r.mayAcquire(Acquire{Owner: owner("b")}), Held)
	refused(t, "repeated", r.mayAcquire(Acquire{Owner: owner("a")}), "")
	if r.acquire(Acquire{Owner: owner("a")}, noon) || r.Epoch != 1 {
		t.Errorf("a repeated request changed the run: %+v", r)
	}
	refused(t, "without a queue", r.mayAcquire(Acquire{Owner: Owner{Token: "b"}}), Invalid)
	refused(t, "with a large request", r.mayAcquire(Acquire{Owner: owner("b"), TakeOver: true, Spec: make([]byte, MaxState+1)}), Large)
	refused(t, "taken over", r.mayAcquire(Acquire{Owner: owner("b"), TakeOver: true}), "")
	r.acquire(Acquire{Owner: owner("b"), TakeOver: true}, noon)
	refused(t, "a commit of the former owner", r.mayCommit(Commit{Epoch: 1, Mark: Mark{Number: 1}}), Fenced)
	refused(t, "a release by it", r.mayWrite(1), Fenced)
	refused(t, "a commit of the new owner", r.mayCommit(Commit{Epoch: 2, Mark: Mark{Number: 1}}), "")
	r.release()
	refused(t, "a commit after the release", r.mayCommit(Commit{Epoch: 2, Mark: Mark{Number: 1}}), Fenced)
	refused(t, "by the owner that released it", r.mayAcquire(Acquire{Owner: owner("b")}), Fenced)
	refused(t, "after the release", r.mayAcquire(Acquire{Owner: owner("c")}), "")
	r.Archived = true
	refused(t, "when archived", r.mayAcquire(Acquire{Owner: owner("d")}), Archived)
}

func TestCommit(t *testing.T) {
	t.Parallel()
	r := owned()
	event := func(seq int64, data string) Entry {
		return Entry{Seq: seq, Epoch: 1, Name: "e", Data: json.RawMessage(data)}
	}
	c := Commit{Epoch: 1, Mark: Mark{1, "d"}, State: json.RawMessage(`{"n":1}`), Events: []Entry{event(1, "1"), event(2, "2")}}
	refused(t, "the first", r.mayCommit(c), "")
	for range 2 {
		r.commit(c, noon)
		refused(t, "repeated", r.mayCommit(c), "")
	}
	if r.Seq != 2 || len(r.Journal) != 2 || string(r.State) != `{"n":1}` {
		t.Errorf("%+v", r)
	}
	next := Commit{Epoch: 1, Mark: Mark{2, "e"}, Seq: 2, Events: []Entry{event(3, "3")}}
	for what, change := range map[string]func(*Commit){
		"the same number with other content": func(c *Commit) { c.Mark = Mark{1, "other"} },
		"a number too high":                  func(c *Commit) { c.Mark.Number = 3 },
		"an older event":                     func(c *Commit) { c.Seq = 1 },
		"a gap":                              func(c *Commit) { c.Events = []Entry{event(4, "4")} },
		"an event of another epoch":          func(c *Commit) { c.Events = []Entry{{Seq: 3, Epoch: 2, Name: "e"}} },
	} {
		bad := next
		change(&bad)
		refused(t, what, r.mayCommit(bad), Invalid)
	}
	big := next
	big.Events = []Entry{event(3, strings.Repeat("1", MaxState))}
	refused(t, "large events", r.mayCommit(big), Large)
	big = next
	big.State = make([]byte, MaxState+1)
	refused(t, "a large state", r.mayCommit(big), Large)
	refused(t, "the next", r.mayCommit(next), "")
}

func TestJournalKeepsTheNewest(t *testing.T) {
	t.Parallel()
	r := owned()
	const each = MaxJournal / 4
	for n := range int64(10) {
		e := Entry{Seq: n + 1, Epoch: 1, Name: "e", Data: json.RawMessage(strings.Repeat("1", each))}
		r.commit(Commit{Epoch: 1, Mark: Mark{Number: n + 1}, Seq: n, Events: []Entry{e}}, noon)
	}
	if n := len(r.Journal); n != 3 || r.Journal[n-1].Seq != 10 {
		t.Errorf("%d events, the newest is %d", n, r.Journal[n-1].Seq)
	}
}

func TestInbox(t *testing.T) {
	t.Parallel()
	r := owned()
	m := Message{Token: "1", Kind: "steer", Text: "x"}
	if first, again := r.send(m, noon), r.send(m, noon); first != 1 || again != 0 || len(r.Inbox) != 1 {
		t.Errorf("numbers %d and %d, inbox %+v", first, again, r.Inbox)
	}
	r.commit(Commit{Epoch: 1, Mark: Mark{Number: 1}, Took: []int64{1}}, noon)
	if again := r.send(m, noon); again != 0 || len(r.Inbox) != 0 {
		t.Errorf("a message that was taken came again: %+v", r.Inbox)
	}
	refused(t, "no token", r.maySend(Message{Kind: "steer"}), Invalid)
	m.Text = strings.Repeat("x", MaxMessage-200)
	sent := 0
	for m.Token = "t"; r.maySend(m) == nil; m.Token += "t" {
		r.send(m, noon)
		sent++
	}
	refused(t, "one too many", r.maySend(m), Large)
	if want := MaxInbox / MaxMessage; sent != want {
		t.Errorf("%d messages fit, want %d", sent, want)
	}
	refused(t, "an abort", r.maySend(Message{Token: "a", Kind: "abort"}), "")
	r.Inbox = nil
	m.Text = strings.Repeat("\x01", MaxMessage/6)
	refused(t, "a message that is large when it is encoded", r.maySend(m), Large)
}

// TestLargestRun: a run that holds as much as it may is still accepted as the input of
// its next execution; the server refuses 2 MB.
func TestLargestRun(t *testing.T) {
	t.Parallel()
	full := json.RawMessage(`"` + strings.Repeat("x", MaxState-2) + `"`)
	r := owned()
	r.State, r.Spec = full, full
	r.commit(Commit{Epoch: 1, Mark: Mark{Number: 1}, State: full, Events: []Entry{{Seq: 1, Name: "e", Data: json.RawMessage(`"` + strings.Repeat("x", MaxState-3) + `"`)}}}, noon)
	m := Message{Token: "t", Kind: "steer", Text: strings.Repeat("\x01", 1000)}
	for ; r.maySend(m) == nil; m.Token += "t" {
		r.send(m, noon)
	}
	data, err := json.Marshal(r)
	if err != nil || len(data) < 3*MaxState || len(data) > 1_500_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
