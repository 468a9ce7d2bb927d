package doctor

import (
	"context"
	"errors"
	"os"
	"time"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/next"
	"ralph/internal/store"
	"ralph/internal/store/limits"
)

// checkLimits looks into the memory of usage limits that all repositories of the
// person share: one that cannot be read, and limits that hold loops back now.
func (c *checkup) checkLimits(ctx context.Context) {
	const check = "limits"
	book := c.LimitsBook(true)
	defer book.Close()
	problems, err := book.Problems(ctx)
	if err != nil {
		c.fail(check, limitsFix(book.Path(), err), "loops run as if each were alone: %v", err)
		return
	}
	for _, p := range problems {
		c.fail(check, moveAway(book.Path()), "loops run as if each were alone: %s: %s", p.Path, p.What)
	}
	known, err := book.List(ctx)
	switch {
	case len(problems) > 0:
		return
	case err != nil:
		c.fail(check, limitsFix(book.Path(), err), "loops run as if each were alone: %v", err)
		return
	}
	inForce := 0
	for _, k := range known {
		if !c.Now().Before(k.Until) {
			continue // over, as far as is known: the next loop tries
		}
		inForce++
		fix := next.Resume("ID", "--now") + " of a loop that waits tries at once; when it works, all loops continue"
		if k.Fix != "" {
			fix = k.Fix + "; then " + fix
		}
		c.warn(check, fix, "%s: %s %s; loop %s was told: %s", k.Label, project.HealthWords(k), k.Until.Local().Format(time.DateTime), k.By, k.Message)
	}
	if inForce == 0 {
		c.ok(check, "no account is known to be used up, throttled, down or without a login")
	}
	c.checkWindows(ctx, book)
}

// checkWindows tells how much of the accounts' usage windows is used, and which of the
// configured agents limits.keep cannot hold back.
func (c *checkup) checkWindows(ctx context.Context, book *limits.Book) {
	const check = "limits"
	windows, err := book.Windows(ctx)
	if err != nil {
		c.warn(check, "", "the use of the accounts' windows: %v", err)
	}
	for _, w := range windows {
		c.ok(check, "%s: %.0f %% used of the %s window%s", w.Label, w.Used, limits.WindowName(w.Name), resets(w.ResetsAt))
	}
	if c.project == nil || c.project.Settings == nil || c.project.Settings.Limits().Keep == 0 {
		return
	}
	for _, a := range c.project.Settings.Agents() {
		driver, known := registry.Drivers()[a.Use]
		if known && !driver.Capabilities().Windows && !driver.Capabilities().Person && !a.OnlyAnswers() {
			c.warn(check, "", "limits.keep has no effect on %s: it does not report its usage windows", a.Name)
		}
	}
}

func resets(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return ", resets " + at.Local().Format(time.DateTime)
}

// limitsFix is what to do about a memory that cannot be read.
func limitsFix(path string, err error) string {
	hint := exit.Classify(err).Hint
	if errors.As(err, new(*store.CorruptError)) {
		return moveAway(path)
	}
	if _, gone := os.Lstat(path); hint == "" && gone == nil {
		return moveAway(path)
	}
	return hint
}

// moveAway loses nothing but what was known of limits.
func moveAway(path string) string {
	return "mv '" + path + "' '" + path + ".broken': it is made again when it is needed"
}
