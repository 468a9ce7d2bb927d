package notifier

import (
	"context"
	"maps"

	"ralph/internal/engine"
	"ralph/internal/notice"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store"
	"ralph/internal/store/outbox"
)

// Scan puts what is new into the outbox. What a store that was never read holds is no
// news.
func (n *Notifier) Scan(ctx context.Context) error {
	n.scanning.Lock()
	defer n.scanning.Unlock()
	mark := n.Store.Mark()
	if mark != "" && mark == n.mark && n.Plans == nil {
		return nil
	}
	now, err := n.Store.Positions(ctx)
	if err != nil {
		return err
	}
	plans, away := n.plansNow(ctx)
	if n.seen == nil {
		seen, err := n.Box.Seen(ctx)
		if err != nil {
			return err
		}
		if !seen.Begun && away != nil {
			return away // else its plans would be news later
		}
		if !seen.Begun {
			return n.begin(ctx, append(now, plans...))
		}
		n.seen = &seen
	}
	if err := n.news(ctx, append(now, plans...)); err != nil {
		return err
	}
	n.mark = mark
	return nil
}

// plansNow are those of the server of a team. One that is away hides no loop.
func (n *Notifier) plansNow(ctx context.Context) ([]store.Position, error) {
	if n.Plans == nil {
		return nil, nil
	}
	all, err := n.Plans.List(ctx, engine.Filter{})
	out := make([]store.Position, len(all))
	for i, r := range all {
		out[i] = store.Position{Kind: recovery.Plan, Run: r.State.ID, Seq: r.Seq}
	}
	return out, err
}

// plan reads a plan where its record is.
func (n *Notifier) plan(ctx context.Context, id string) (plan.State, error) {
	if n.Plans != nil {
		r, err := n.Plans.Read(ctx, id)
		return r.State, err
	}
	r, err := n.Store.Plans().Read(ctx, id)
	return r.State, err
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
		s, err := n.plan(ctx, run)
		if err != nil {
			return nil, err
		}
		return notice.OfPlan(n.Project, s), nil
	}
	r, err := n.Store.Read(ctx, run)
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
