//go:build unix

package notifier_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ralph/internal/engine"
	"ralph/internal/engine/notifier"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/notice"
	"ralph/internal/plan"
	"ralph/internal/quiet"
	"ralph/internal/secret"
	"ralph/internal/store"
	"ralph/internal/store/outbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// inbox is a target that keeps what it gets, or fails.
type inbox struct {
	mu      sync.Mutex
	got     []notice.Notice
	err     error
	hang    bool
	entered chan struct{}
}

func (*inbox) Buttons() bool { return true }

func (i *inbox) Send(ctx context.Context, n notice.Notice) error {
	if i.hang {
		i.entered <- struct{}{}
		<-ctx.Done()
		return context.Cause(ctx)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.got = append(i.got, n)
	return i.err
}

func (i *inbox) fail(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.err = err
}

func (i *inbox) all() []notice.Notice {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]notice.Notice(nil), i.got...)
}

func (i *inbox) events() string {
	var out []string
	for _, n := range i.all() {
		out = append(out, string(n.Event))
	}
	return strings.Join(out, " ")
}

// scene is a store with loops, an outbox and targets.
type scene struct {
	*testing.T
	store *store.Store
	dir   string
	clock *clock
	o     notifier.Options
}

func stage(t *testing.T, targets ...notifier.Target) *scene {
	t.Helper()
	c := &clock{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	dir := filepath.Join(t.TempDir(), "ralph")
	if err := store.Prepare(dir); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), dir, store.Options{Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	box := outbox.New(dir, c.Now, false)
	t.Cleanup(func() { box.Close() })
	return &scene{t, s, dir, c, notifier.Options{
		Store: s, Box: box, Project: "shop", Home: dir, Targets: targets, Debounce: 5 * time.Second, Mask: secret.New("hunter2hunter2"), Now: c.Now, Timeout: time.Minute,
	}}
}

// begun is a notifier that knows what was before.
func (s *scene) begun() *notifier.Notifier {
	s.Helper()
	n := notifier.New(s.o)
	if err := n.Scan(s.Context()); err != nil {
		s.Fatal(err)
	}
	return n
}

// loop makes one that runs, and returns how to change its state.
func (s *scene) loop(id string) func(func(*loop.State)) {
	s.Helper()
	st := loop.New(loop.Spec{ID: id, Task: loop.Task{ID: id, Text: "do " + id}, Agent: loop.Agent{Name: "claude"}, Limits: loop.DefaultLimits()}, s.clock.Now())
	l, err := s.store.Create(s.Context(), st, store.Admission{})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = l.Release(context.Background()) })
	return func(change func(*loop.State)) {
		s.Helper()
		st.LastAt = s.clock.Now()
		change(&st)
		if err := l.Commit(s.Context(), st, []loop.Event{loop.Ticked{Stamp: journal.Stamp{At: s.clock.Now()}}}); err != nil {
			s.Fatal(err)
		}
	}
}

func asks(s *loop.State) {
	s.Status, s.Reason = loop.Waiting, loop.ForHuman
	s.Questions = []loop.Question{{ID: "q1", Text: "Is it hunter2hunter2?", Options: []string{"yes", "no"}, AskedAt: s.LastAt}}
}

func passes(s *loop.State) {
	s.Status, s.Reason, s.EndedAt, s.Iteration = loop.StatusPassed, loop.Green, s.LastAt, 1
}

// flush delivers what is due, as at the end of a command.
func (s *scene) flush(n *notifier.Notifier) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	n.Flush(ctx, ctx)
}

func target(name string, to *inbox, events ...notice.Kind) notifier.Target {
	return notifier.Target{Name: name, Target: to, Events: events}
}

func TestDelivery(t *testing.T) {
	t.Parallel()
	phone, desk := &inbox{}, &inbox{}
	s := stage(t, target("phone", phone, notice.Question), target("desk", desk))
	before := s.loop("before")
	before(passes)
	n := s.begun()
	change := s.loop("l1")
	change(asks)
	s.flush(n)
	s.flush(n)
	s.flush(notifier.New(s.o)) // another process
	if phone.events() != "question" || desk.events() != "question" {
		t.Fatalf("phone %q, desk %q", phone.events(), desk.events())
	}
	got := phone.all()[0]
	if got.Title != "shop · l1 — question" || got.Body != "\"Is it (key)?\"\n[yes, no]" || got.Command != `ralph answer l1 "OPTION"` || got.ID == "" || len(got.Answers) != 0 {
		t.Errorf("%+v", got)
	}
	change(func(s *loop.State) {
		s.Questions[0].Answered = true
		passes(s)
	})
	s.flush(n)
	if phone.events() != "question" || desk.events() != "question loop_passed" {
		t.Errorf("phone %q, desk %q", phone.events(), desk.events())
	}
}

// elsewhere are the plans of a server that may be away.
type elsewhere struct {
	away error
	now  plan.State
	seq  int64
}

func (e *elsewhere) List(context.Context, engine.Filter) ([]engine.Stored[plan.State], error) {
	if e.away != nil {
		return nil, e.away
	}
	return []engine.Stored[plan.State]{{State: e.now, Seq: e.seq}}, nil
}

func (e *elsewhere) Read(context.Context, string) (engine.Stored[plan.State], error) {
	return engine.Stored[plan.State]{State: e.now, Seq: e.seq}, e.away
}

// TestPlansOfServer: plans that a server has are told like those of this machine. What a
// server had before is no news, and one that is away delays no notice about a loop.
func TestPlansOfServer(t *testing.T) {
	t.Parallel()
	phone := &inbox{}
	s := stage(t, target("phone", phone))
	server := &elsewhere{away: engine.ErrAway, now: plan.State{ID: "old", Status: loop.StatusPassed, LastAt: s.clock.Now()}, seq: 3}
	s.o.Plans = server
	n := notifier.New(s.o)
	if err := n.Scan(t.Context()); !errors.Is(err, engine.ErrAway) {
		t.Errorf("the first scan without the server: %v", err)
	}
	server.away = nil
	s.flush(n)
	change := s.loop("l1")
	server.away = engine.ErrAway
	change(asks)
	s.flush(n)
	if phone.events() != "question" {
		t.Errorf("without the server: %q", phone.events())
	}
	server.away, server.now.ID, server.seq = nil, "new", 1
	s.flush(n)
	if phone.events() != "question plan_ended" {
		t.Errorf("%q", phone.events())
	}
}

// TestAnsweredMeanwhile: what is over before it is sent is not sent.
func TestAnsweredMeanwhile(t *testing.T) {
	t.Parallel()
	phone := &inbox{}
	s := stage(t, target("phone", phone))
	n := s.begun()
	change := s.loop("l1")
	change(asks)
	if err := n.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	change(func(s *loop.State) { s.Status, s.Reason, s.Questions[0].Answered = loop.Running, "", true })
	s.flush(n)
	accounts, err := s.o.Box.Accounts(t.Context())
	if err != nil || len(accounts) != 1 || accounts[0].Dropped != 1 || phone.events() != "" {
		t.Errorf("%q, %+v, %v", phone.events(), accounts, err)
	}
}

// TestReminder: what still waits after a while is told once more, and only once; what
// was answered meanwhile is not.
func TestReminder(t *testing.T) {
	t.Parallel()
	phone := &inbox{}
	s := stage(t, target("phone", phone))
	s.o.Remind = 30 * time.Minute
	n := s.begun()
	s.loop("waits")(asks)
	answered := s.loop("answered")
	answered(asks)
	s.flush(n)
	s.clock.advance(29 * time.Minute)
	s.flush(n)
	if phone.events() != "question question" {
		t.Fatalf("before the time: %q", phone.events())
	}
	answered(func(s *loop.State) { s.Status, s.Reason, s.Questions[0].Answered = loop.Running, "", true })
	s.clock.advance(time.Minute)
	s.flush(n)
	s.clock.advance(time.Hour)
	s.flush(n)
	s.flush(notifier.New(s.o)) // another process
	all := phone.all()
	if len(all) != 3 || all[2].Title != "reminder: shop · waits — question" || all[2].ID == all[0].ID || all[2].Run != "waits" {
		t.Errorf("%q: %+v", phone.events(), all[len(all)-1])
	}
}

// TestDebounce: without a flush the first one waits, and a hundred become one message.
func TestDebounce(t *testing.T) {
	t.Parallel()
	desk := &inbox{}
	s := stage(t, target("desk", desk))
	n := s.begun()
	for i := range 100 {
		s.loop(fmt.Sprintf("l%d", i))(passes)
	}
	round := func() {
		t.Helper()
		if err := n.Round(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	round()
	s.clock.advance(4 * time.Second)
	round()
	if desk.events() != "" {
		t.Fatalf("sent before the debounce was over: %s", desk.events())
	}
	s.clock.advance(2 * time.Second)
	round()
	s.flush(n)
	if all := desk.all(); len(all) != 1 || all[0].Count != 100 || all[0].Event != notice.Several {
		t.Errorf("%s", desk.events())
	}
}

// TestRetries: what was not taken is tried again later with the same id, and is given up
// after a day.
func TestRetries(t *testing.T) {
	t.Parallel()
	hook := &inbox{err: errors.New("HTTP 500")}
	s := stage(t, target("hook", hook))
	n := s.begun()
	s.loop("l1")(passes)
	s.flush(n)
	s.flush(n)
	if len(hook.all()) != 1 {
		t.Fatalf("%d tries at once", len(hook.all()))
	}
	s.clock.advance(6 * time.Second)
	s.flush(n)
	hook.fail(nil)
	s.clock.advance(16 * time.Second)
	s.flush(n)
	s.clock.advance(time.Hour)
	s.flush(n)
	all := hook.all()
	if len(all) != 3 || all[0].ID != all[2].ID {
		t.Fatalf("%+v", all)
	}
	hook.fail(errors.New("HTTP 500"))
	s.loop("l2")(passes)
	for range 60 {
		s.flush(n)
		s.clock.advance(time.Hour)
	}
	accounts, err := s.o.Box.Accounts(t.Context())
	if err != nil || accounts[0].Failed != 1 || accounts[0].Waiting != 0 || accounts[0].Error != "HTTP 500" {
		t.Errorf("%+v, %v", accounts, err)
	}
}

// TestHangingTarget: one that never answers delays neither the others nor the end of a
// command, and what it did not take stays for the next process.
func TestHangingTarget(t *testing.T) {
	t.Parallel()
	dead, desk := &inbox{hang: true, entered: make(chan struct{}, 10)}, &inbox{}
	s := stage(t, target("dead", dead), target("desk", desk))
	n := s.begun()
	s.loop("l1")(passes)
	flushing, halt := context.WithCancel(t.Context())
	life, end := context.WithCancel(t.Context())
	go func() { // the time of the flush is over once both have begun
		defer halt()
		<-dead.entered
		for desk.events() == "" && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
	}()
	n.Flush(flushing, life)
	end()
	n.Wait()
	if desk.events() != "loop_passed" {
		t.Errorf("desk: %q", desk.events())
	}
	dead.hang = false
	s.flush(notifier.New(s.o))
	if dead.events() != "loop_passed" || desk.events() != "loop_passed" {
		t.Errorf("dead %q, desk %q", dead.events(), desk.events())
	}
}

// TestKilledBetweenSendingAndRecording: the notice is sent again with the same id, by a
// process that waited for the lease of the one that died.
func TestKilledBetweenSendingAndRecording(t *testing.T) {
	t.Parallel()
	hook := &inbox{}
	s := stage(t, target("hook", hook))
	n := s.begun()
	s.loop("l1")(passes)
	killed := *s
	killed.o.Box = outbox.New(s.dir, s.clock.Now, false)
	dying := &inbox{}
	killed.o.Targets = []notifier.Target{{Name: "hook", Target: closing{dying, killed.o.Box}}}
	died := notifier.New(killed.o)
	if err := died.Round(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	died.Wait()
	if err := n.Round(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	n.Wait()
	if len(dying.all()) != 1 || len(hook.all()) != 0 {
		t.Fatalf("two deliver at once: %d, %d", len(dying.all()), len(hook.all()))
	}
	s.clock.advance(21 * time.Second)
	s.flush(n)
	if len(hook.all()) != 1 || hook.all()[0].ID != dying.all()[0].ID {
		t.Errorf("%+v, %+v", dying.all(), hook.all())
	}
}

// closing takes a message, and lets its sender record nothing any more.
type closing struct {
	*inbox
	box *outbox.Box
}

func (c closing) Send(ctx context.Context, n notice.Notice) error {
	err := c.inbox.Send(ctx, n)
	_ = c.box.Close()
	return err
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	desk := &inbox{}
	s := stage(t)
	hour := s.clock.Now().Local()
	quietly, err := quiet.Parse(hour.Format("15:04") + "-" + hour.Add(2*time.Hour).Format("15:04"))
	if err != nil {
		t.Fatal(err)
	}
	s.o.Targets = []notifier.Target{{Name: "desk", Target: desk, Quiet: quietly}}
	n := s.begun()
	s.loop("l1")(passes)
	s.flush(n)
	s.loop("l2")(passes)
	s.clock.advance(time.Hour)
	s.flush(n)
	if desk.events() != "" {
		t.Fatalf("%s in quiet hours", desk.events())
	}
	s.clock.advance(time.Hour)
	s.flush(n)
	if all := desk.all(); len(all) != 1 || all[0].Count != 2 {
		t.Errorf("%+v", all)
	}
}

// TestLimits: a limit is told once, and its end.
func TestLimits(t *testing.T) {
	t.Parallel()
	desk := &inbox{}
	s := stage(t, target("desk", desk, notice.Kinds()...))
	n := s.begun()
	change := s.loop("l1")
	limited := func(l *loop.State) {
		l.Status, l.Reason, l.Message, l.ProviderSince = loop.Waiting, loop.ForLimit, "resets at 3", s.clock.Now()
	}
	change(limited)
	s.flush(n)
	change(func(l *loop.State) { l.Message = "resets at 4" })
	s.flush(n)
	change(func(l *loop.State) { l.Status, l.Reason, l.ProviderSince = loop.Running, "", time.Time{} })
	s.flush(n)
	s.clock.advance(time.Minute)
	change(limited)
	s.flush(n)
	if desk.events() != "limit_hit limit_over limit_hit" {
		t.Errorf("%s", desk.events())
	}
}

// TestButtons: each option of a question has a token of its own; a prompt at a terminal
// holds the question back.
func TestButtons(t *testing.T) {
	t.Parallel()
	phone := &inbox{}
	s := stage(t, target("phone", phone))
	s.o.AnswerURL = "https://ralph.example.org/"
	asking := true
	s.o.Asking = func(string) bool { return asking }
	n := s.begun()
	s.loop("l1")(asks)
	s.flush(n)
	if phone.events() != "" {
		t.Fatalf("%s although a terminal asks", phone.events())
	}
	s.clock.advance(31 * time.Second)
	s.flush(n)
	got := phone.all()
	if len(got) != 1 || len(got[0].Answers) != 2 || got[0].Answers[1].Label != "no" {
		t.Fatalf("%+v", got)
	}
	token, found := strings.CutPrefix(got[0].Answers[1].URL, "https://ralph.example.org"+notifier.AnswerPath)
	b, err := s.o.Box.Button(t.Context(), token)
	if !found || err != nil || b.Run != "l1" || b.Question != loop.QuestionInstance("q1", got[0].At) || b.Answer != "no" || b.Target != "phone" {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestButtonsAlike: options that a button shows alike get none; the message has them in
// its text.
func TestButtonsAlike(t *testing.T) {
	t.Parallel()
	phone := &inbox{}
	s := stage(t, target("phone", phone))
	s.o.AnswerURL = "https://ralph.example.org/"
	n := s.begun()
	long := strings.Repeat("keep the old prices and ", 4)
	s.loop("l1")(func(l *loop.State) {
		asks(l)
		l.Questions[0].Options = []string{long + "say so", long + "delete all"}
	})
	s.flush(n)
	if got := phone.all(); len(got) != 1 || len(got[0].Answers) != 0 {
		t.Errorf("%+v", got)
	}
}
