package evidence

import (
	"strings"

	"ralph/internal/gate/text"
)

// Collector learns from a stream of lines what Excerpt, Fingerprint and
// Missing need, holding some 200 lines at most. The zero value is ready.
type Collector struct {
	cut    cutter
	errors ring
	last   ring
	lack   lack
	prev   string
}

// Add takes the next line, of which dropped bytes were cut off.
func (c *Collector) Add(line string, dropped int64) {
	c.cut.add(line, dropped)
	if line == c.prev || strings.TrimSpace(line) == "" {
		return // a line that is repeated at once says nothing new
	}
	c.prev = line
	c.errors.max, c.last.max = errorLines, errorLines
	short := shorten(line, dropped)
	c.last.add(short)
	looksBad := text.ErrorLike(line)
	if looksBad {
		c.errors.add(short)
	}
	if looksBad || strings.Contains(line, "symbol:") || strings.Contains(line, " not ") {
		c.lack.add(line)
	}
}

// Excerpt of everything so far.
func (c *Collector) Excerpt() string { return c.cut.String() }

// Lines are the last error-looking lines, or, where none look like it, the
// last lines of all.
func (c *Collector) Lines() []string {
	if e := c.errors.lines(); len(e) > 0 {
		return e
	}
	return c.last.lines()
}

// Missing names what the output says is lacking.
func (c *Collector) Missing(roots ...string) []string { return c.lack.names(roots) }
