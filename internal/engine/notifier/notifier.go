package notifier

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/notice"
	"ralph/internal/notify"
	"ralph/internal/plan"
	"ralph/internal/quiet"
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
	return slices.Contains(t.Events, k)
}

// Plans are plans whose record is not in the database of this machine.
type Plans interface {
	List(ctx context.Context, f engine.Filter) ([]engine.Stored[plan.State], error)
	Read(ctx context.Context, id string) (engine.Stored[plan.State], error)
}

// Options of a Notifier.
type Options struct {
	Store *store.Store
	// Plans are those of the server of a team, of which Store has no copy; nil where Store
	// has them.
	Plans Plans
	Box   *outbox.Box
	// Project is the name that messages begin with, Home what tells the store from others.
	Project, Home string
	Targets       []Target
	// Debounce is how long the first notice waits for others.
	Debounce time.Duration
	// Remind is the age at which a question that still waits is told once more; 0 is never.
	Remind time.Duration
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
	if err := n.remind(ctx); err != nil {
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
