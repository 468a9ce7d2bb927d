package doctor

import (
	"context"

	"ralph/internal/next"
	"ralph/internal/text"
)

// checkNotify looks at the targets of notifications, and at what they did not take.
func (c *checkup) checkNotify(ctx context.Context) {
	const check = "notify"
	if c.project == nil || c.project.Settings == nil {
		return
	}
	targets := c.NotifyTargets(c.project.Settings)
	for _, t := range targets {
		if t.Broken != nil {
			c.warn(check, "correct notify.targets."+t.Name+".to in your own settings", "target %s cannot be used: %v", t.Name, t.Broken)
		}
	}
	box := c.Outbox(c.project, true)
	defer box.Close()
	problems, err := box.Problems(ctx)
	for _, p := range problems {
		c.fail(check, moveAway(box.Path()), "%s: %s", p.Path, p.What)
	}
	if err != nil {
		c.fail(check, limitsFix(box.Path(), err), "%v", err)
		return
	}
	accounts, err := box.Accounts(ctx)
	if err != nil || len(problems) > 0 {
		return
	}
	waiting := false
	for _, a := range accounts {
		if a.Waiting > 0 && a.Error != "" {
			waiting = true
			c.warn(check, next.Notify("test "+a.Target), "%s for target %s: %s", text.Plural(a.Waiting, "message")+" waiting", a.Target, a.Error)
		}
	}
	if len(targets) > 0 && !waiting {
		c.ok(check, "%s; no message failed", text.Plural(len(targets), "target"))
	}
}
