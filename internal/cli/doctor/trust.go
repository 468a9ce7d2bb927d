package doctor

import (
	"context"

	"ralph/internal/config"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/trust"
)

// checkTrust tells what does not run before the user allows it, and which settings
// of the user's a looser ralph.yaml did not replace.
func (c *checkup) checkTrust(ctx context.Context) {
	p := c.project
	if p == nil {
		return
	}
	if err := trust.Named(p.Home); err != nil {
		c.fail("trust", next.Trust("--store")+" names the store again, if the loops in it are yours", "%v", err)
	} else if p.Recorded() && c.ForeignStore(p) {
		c.warn("trust", next.Trust("--store"), "the loops in %s %s, and do not run", p.Home, c.ForeignReason(p))
	}
	if p.Settings == nil || p.Found.Project == nil {
		return
	}
	for _, k := range p.Settings.Kept() {
		c.note("trust", "%s: %s asks for %s; yours stays (%s)", k.Key, k.At, text.Line(k.Wanted), k.From)
	}
	lines, err := c.Asked(ctx, p)
	if err == nil && !c.Allowed(p, lines) {
		c.warn("trust", next.Trust(), "%s asks for %d things that are not allowed on this machine", config.FileName, len(lines))
	}
}
