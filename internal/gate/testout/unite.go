package testout

import (
	"cmp"
	"slices"
)

// counter is the part of a reader that counts the lines of its format.
type counter int

func (c *counter) hit()      { *c++ }
func (c *counter) hits() int { return int(*c) }

// span is the part of an output, in lines, that one runner wrote.
type span struct{ first, last int }

func (s *span) include(line int) {
	if s.first == 0 {
		s.first = line
	}
	s.last = line
}

func (s *span) overlaps(o *span) bool { return s.first <= o.last && o.first <= s.last }

// part is what one reader found.
type part struct {
	Report
	*span
	// alone: it counts only where no other runner was recognised.
	alone bool
}

// Report returns the results of all runners in the output. Runners write one after the
// other. Where two formats were recognised in the same lines, or with tests of the same
// name, one of them is a repetition or was printed by tests, and the one that reported
// more counts. The second result is false when nothing was recognised.
func (p *Parser) Report() (Report, bool) {
	var parts []part
	for _, n := range p.readers {
		r, ok := n.reader.report()
		if !ok {
			continue
		}
		r = r.finish()
		r.Format = n.format
		for i := range r.Failures {
			r.Failures[i].Format = n.format
		}
		g, _ := n.reader.(*generic)
		parts = append(parts, part{r, n.span, g != nil && g.wraps})
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		if g := cmp.Compare(rank(a), rank(b)); g != 0 {
			return g
		}
		return cmp.Compare(weight(b.Report), weight(a.Report))
	})
	var of []part
	for _, a := range parts {
		if len(of) == 0 || !a.alone && !slices.ContainsFunc(of, a.repeats) {
			of = append(of, a)
		}
	}
	if len(of) == 0 {
		return Report{}, false
	}
	return united(of), true
}

// rank puts formats of their own before counts that are known from one line.
func rank(p part) int {
	if p.Format == Generic {
		return 1
	}
	return 0
}

func weight(r Report) int { return max(r.Run, len(r.Failures)) + r.Skipped }

// repeats reports whether two parts are of the same tests, or one was written by the other's.
func (p part) repeats(o part) bool {
	if p.overlaps(o.span) {
		return true
	}
	ids := map[string]bool{}
	for _, c := range o.Cases {
		ids[c.ID] = true
	}
	for _, f := range o.Failures {
		ids[f.ID] = true
	}
	return slices.ContainsFunc(p.Cases, func(c Case) bool { return ids[c.ID] }) ||
		slices.ContainsFunc(p.Failures, func(f Failure) bool { return ids[f.ID] })
}

// united adds the results of several runners, of which the first is the largest.
func united(parts []part) Report {
	out := parts[0].Report
	named := out.names()
	for _, p := range parts[1:] {
		out.Run, out.Failed, out.Skipped = out.Run+p.Run, out.Failed+p.Failed, out.Skipped+p.Skipped
		out.AtLeast, out.Unread, out.Stopped = out.AtLeast || p.AtLeast, out.Unread || p.Unread, out.Stopped || p.Stopped
		out.Incomplete = cmp.Or(out.Incomplete, p.Incomplete)
		out.Broken = append(slices.Clip(out.Broken), p.Broken...)
		out.Failures = append(slices.Clip(out.Failures), p.Failures...)
		out.Cases = append(slices.Clip(out.Cases), p.Cases...)
		named = named && p.names()
	}
	if len(parts) == 1 {
		return out
	}
	out.Broken = out.Broken[:min(len(out.Broken), maxBroken)]
	out.Failures = out.Failures[:min(len(out.Failures), maxFailures)]
	slices.Sort(out.Broken)
	sortFailures(out.Failures)
	sortCases(out.Cases)
	if out.Partial = !named && len(out.Cases) > 0; len(out.Cases) > maxCases {
		out.Cases, out.Partial = nil, false
	}
	return out
}

// names reports whether every test of the report has a name.
func (r Report) names() bool { return len(r.Cases) > 0 || r.Run+r.Skipped == 0 }
