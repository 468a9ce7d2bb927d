package notifier

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"maps"
	"sync"
	"time"

	"ralph/internal/notice"
	"ralph/internal/notify"
	"ralph/internal/quiet"
	"ralph/internal/recovery"
	"ralph/internal/secret"
	"ralph/internal/store"
	"ralph/internal/store/outbox"
)

// Target is one address with its rules.
type Target struct {
	Name string
	notify.Target
	// Events are what it gets; empty is the default.
	Events []notice.Kind
	Quiet  quiet.Hours
	// Broken is why it cannot be used; it gets nothing then.
	Broken error
}

// Wants reports whether the target gets a kind of notice.
func (t Target) Wants(k notice.Kind) bool {
	if len(t.Events) == 0 {
		return k.Default()
	}
	for _, e := range t.Events {
		if e == k {
			return true
		}
	}
	return false
}

// Options of a Notifier.
type Options struct {
	Store *store.Store
	Box   *outbox.Box
	// Project is the name that messages begin with, Home what tells the store from others.
	Project, Home string
	Targets       []Target
	// Debounce is how long the first notice waits for others.
	Debounce time.Duration
	// Asking reports whether a terminal asks the questions of a run at this moment, which
	// Held keeps from being told.
	Asking func(run string) bool
	Held   time.Duration
	// AnswerURL is where serve can be reached; without it messages have no buttons.
	AnswerURL string
	Mask      *secret.Masker
	Now       func() time.Time
	// Timeout of one delivery.
	Timeout time.Duration
	// Every is how often it looks.
	Every time.Duration
}

// Notifier scans and delivers for one repository.
type Notifier struct {
	Options
	who string

	scanning sync.Mutex
	mark     string
	// seen is how far the runs were read; unsaved is what of it the outbox does not know.
	seen    *outbox.Seen
	unsaved map[outbox.Run]int64

	mu sync.Mutex
	// leads is up to when this process may deliver.
	leads time.Time
	// busy holds the targets to which a message is on its way.
	busy  map[string]bool
	sends sync.WaitGroup
}

// The usual times.
const (
	Debounce = 5 * time.Second
	held     = 30 * time.Second
	timeout  = 10 * time.Second
	every    = time.Second
	// lease is how long another process waits for one that delivered and died.
	lease = 20 * time.Second
	// oldest is the age from which a notice is no news.
	oldest = 24 * time.Hour
	// buttonLife is how long an answer can be given from a message.
	buttonLife = 7 * 24 * time.Hour
)

// New returns a Notifier. Times that are zero are the usual ones.
func New(o Options) *Notifier {
	or := func(d *time.Duration, usual time.Duration) {
		if *d == 0 {
			*d = usual
		}
	}
	or(&o.Held, held)
	or(&o.Timeout, timeout)
	or(&o.Every, every)
	id := make([]byte, 8)
	_, _ = rand.Read(id)
	return &Notifier{Options: o, who: hex.EncodeToString(id), busy: map[string]bool{}, unsaved: map[outbox.Run]int64{}}
}

// Start scans and delivers in the background, until the function that it returns is
// called: that one delivers what is left, for at most moment.
func (n *Notifier) Start(ctx context.Context, moment time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	_ = n.Scan(ctx) // what was before is no news
	ended := make(chan struct{})
	running, halt := context.WithCancel(ctx)
	go func() {
		defer close(ended)
		n.run(running, ctx)
	}()
	return func() {
		halt()
		<-ended
		flushing, done := context.WithTimeout(ctx, moment)
		n.Flush(flushing, ctx)
		done()
		cancel()
	}
}

// run looks until ctx ends. Messages that are on their way then have until life ends.
func (n *Notifier) run(ctx, life context.Context) {
	tick := time.NewTicker(n.Every)
	defer tick.Stop()
	for {
		_ = n.Round(life, false) // the next round makes up for a failure
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Round scans and delivers once. Flush sends without waiting for a debounce.
func (n *Notifier) Round(ctx context.Context, flush bool) error {
	if err := n.Scan(ctx); err != nil {
		return err
	}
	return n.deliver(ctx, flush)
}

// Flush delivers what waits, until ctx ends at the latest, and lets others lead. A
// message that is on its way then has until life ends.
func (n *Notifier) Flush(ctx, life context.Context) {
	for ctx.Err() == nil {
		if n.Round(life, true) != nil || !n.due(life) {
			break
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	n.save(life)
	if !n.leads.IsZero() {
		_ = n.Box.Resign(life, n.who)
	}
}

// SendAll sends what waits, also what is to be tried again only later, for at most as
// long as patience. It returns how much of what is due still waits.
func (n *Notifier) SendAll(ctx context.Context, patience time.Duration) (left int, err error) {
	if err := n.Scan(ctx); err != nil {
		return 0, err
	}
	if err := n.Box.Hurry(ctx); err != nil {
		return 0, err
	}
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	sending, done := context.WithTimeout(ctx, patience)
	n.Flush(sending, life)
	done()
	for _, t := range n.Targets {
		waiting, err := n.Box.Waiting(ctx, t.Name)
		if err != nil {
			return 0, err
		}
		if !t.Quiet.Contains(n.Now().Local()) {
			left += len(waiting)
		}
	}
	return left, nil
}

// lead makes this process the one who delivers, and renews that in time.
func (n *Notifier) lead(ctx context.Context) (bool, error) {
	now := n.Now()
	if left := n.leads.Sub(now); left > lease/2 && left <= lease {
		return true, nil
	}
	leads, err := n.Box.Lead(ctx, n.who, lease)
	if n.leads = (time.Time{}); leads && err == nil {
		n.leads = now.Add(lease)
	}
	return leads, err
}

// due reports whether something could be sent at this moment, or is on its way.
func (n *Notifier) due(ctx context.Context) bool {
	n.mu.Lock()
	sending := len(n.busy) > 0
	n.mu.Unlock()
	if sending {
		return true
	}
	ready, err := n.allReady(ctx, true)
	return err == nil && len(ready) > 0
}

// Scan puts what is new into the outbox. What a store that was never read holds is no
// news.
func (n *Notifier) Scan(ctx context.Context) error {
	n.scanning.Lock()
	defer n.scanning.Unlock()
	mark := n.Store.Mark()
	if mark != "" && mark == n.mark {
		return nil
	}
	now, err := n.Store.Positions(ctx)
	if err != nil {
		return err
	}
	if n.seen == nil {
		seen, err := n.Box.Seen(ctx)
		if err != nil {
			return err
		}
		if !seen.Begun {
			return n.begin(ctx, now)
		}
		n.seen = &seen
	}
	if err := n.news(ctx, now); err != nil {
		return err
	}
	n.mark = mark
	return nil
}

// news reads the runs that have moved on. What is told of them is put into the outbox at
// once; how far they were read is saved with it, or at the end: to read it again tells
// nothing twice.
func (n *Notifier) news(ctx context.Context, now []store.Position) error {
	moved := map[outbox.Run]int64{}
	var entries []outbox.Entry
	for _, p := range now {
		run := outbox.Run{Kind: p.Kind, ID: p.Run}
		if seq, known := n.seen.Runs[run]; known && seq >= p.Seq {
			continue
		}
		found, err := n.about(ctx, run)
		if err != nil {
			continue // one that cannot be read hides no other; it is looked at again
		}
		moved[run], entries = p.Seq, append(entries, found...)
	}
	restarts, err := n.Store.Restarts(ctx, n.seen.Pos)
	if err != nil {
		return err
	}
	pos := n.seen.Pos
	for _, r := range restarts {
		pos = r.Pos
		if r.Reason != recovery.WaitOver { // the end of a limit, and no death
			entries = n.add(entries, notice.OfRestart(n.Project, notice.Restart{Run: r.Run, Kind: string(r.Kind), Left: r.Left, Try: r.Try, Why: r.Detail, At: r.At}))
		}
	}
	maps.Copy(n.unsaved, moved)
	if len(entries) > 0 || pos != n.seen.Pos {
		if err := n.Box.Put(ctx, n.unsaved, pos, entries); err != nil {
			return err
		}
		n.seen.Pos = pos
		clear(n.unsaved)
	}
	maps.Copy(n.seen.Runs, moved)
	return nil
}

// save records how far the runs were read.
func (n *Notifier) save(ctx context.Context) {
	n.scanning.Lock()
	defer n.scanning.Unlock()
	if len(n.unsaved) > 0 && n.Box.Put(ctx, n.unsaved, n.seen.Pos, nil) == nil {
		clear(n.unsaved)
	}
}

func (n *Notifier) begin(ctx context.Context, now []store.Position) error {
	pos, err := n.Store.LastPos(ctx)
	if err != nil {
		return err
	}
	runs := map[outbox.Run]int64{}
	for _, p := range now {
		runs[outbox.Run{Kind: p.Kind, ID: p.Run}] = p.Seq
	}
	if err := n.Box.Put(ctx, runs, pos, nil); err != nil {
		return err
	}
	n.seen = &outbox.Seen{Begun: true, Runs: runs, Pos: pos}
	return nil
}

// about returns what there is to tell of a run that has moved on.
func (n *Notifier) about(ctx context.Context, run outbox.Run) ([]outbox.Entry, error) {
	now, err := n.current(ctx, run.Kind, run.ID)
	if err != nil {
		return nil, err
	}
	var out []outbox.Entry
	for _, x := range now {
		out = n.add(out, x)
	}
	limits, err := n.Box.Told(ctx, run.ID, notice.LimitHit)
	if err != nil {
		return nil, err
	}
	for _, l := range limits {
		if !holds(now, l.Key) {
			out = n.add(out, notice.Over(l, n.Now()))
		}
	}
	return out, nil
}

// current returns the notices that are true of a run now.
func (n *Notifier) current(ctx context.Context, kind recovery.Kind, run string) ([]notice.Notice, error) {
	if kind == recovery.Plan {
		r, err := n.Store.Plan(ctx, run)
		if err != nil {
			return nil, err
		}
		return notice.OfPlan(n.Project, r.State), nil
	}
	r, err := n.Store.Load(ctx, run)
	if err != nil {
		return nil, err
	}
	return notice.OfLoop(n.Project, r.State), nil
}

func holds(all []notice.Notice, key string) bool {
	for _, n := range all {
		if n.Key == key {
			return true
		}
	}
	return false
}

// add appends the entry of a notice, unless it is too old or for no target.
func (n *Notifier) add(out []outbox.Entry, x notice.Notice) []outbox.Entry {
	if !x.At.IsZero() && n.Now().Sub(x.At) > oldest {
		return out
	}
	e := outbox.Entry{Notice: x.Identify(n.Home).Masked(n.Mask.Mask)}
	for _, t := range n.Targets {
		if t.Broken == nil && t.Wants(x.Event) {
			e.Targets = append(e.Targets, t.Name)
		}
	}
	if n.Asking != nil && (n.Asking(x.Run) || x.Plan != "" && n.Asking(x.Plan)) && x.Event.Condition() {
		e.NotBefore = n.Now().Add(n.Held)
	}
	return append(out, e)
}
