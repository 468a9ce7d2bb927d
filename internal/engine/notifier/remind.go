package notifier

import (
	"context"
	"slices"

	"ralph/internal/notice"
	"ralph/internal/recovery"
	"ralph/internal/store/outbox"
)

// remind queues a second notice of what a person was told a while ago and still waits for
// them. Where the wait is over, it records the reminder for no target, so that it is not
// looked at again.
func (n *Notifier) remind(ctx context.Context) error {
	if n.Remind == 0 || len(n.Targets) == 0 {
		return nil
	}
	kinds := slices.DeleteFunc(notice.Kinds(), func(k notice.Kind) bool { return !k.Reminded() })
	told, err := n.Box.Unreminded(ctx, kinds, n.Now().Add(-oldest), n.Now().Add(-n.Remind))
	if err != nil || len(told) == 0 {
		return err
	}
	var entries []outbox.Entry
	for _, t := range told {
		now, err := n.current(ctx, recovery.Kind(t.RunKind), t.Run)
		switch {
		case err != nil:
			continue // looked at again
		case holds(now, t.Key):
			entries = n.add(entries, t.Reminder())
		default:
			entries = append(entries, outbox.Entry{Notice: t.Reminder()})
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return n.Box.Put(ctx, nil, 0, entries)
}
