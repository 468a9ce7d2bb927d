package loop

import "slices"

// Score compares attempts by measurements alone: fewer failing tests, or a
// higher value of a gate that fails.
type Score struct {
	// Failing tests of hard gates together; -1 is unknown.
	Failing int     `json:"failing"`
	Values  []Value `json:"values,omitempty"`
}

// Value is the measurement of a gate.
type Value struct {
	Gate  string  `json:"gate"`
	Value float64 `json:"value"`
	// Failing: it is that of a hard gate that did not pass.
	Failing bool `json:"failing,omitempty"`
}

func (s Score) clone() Score {
	s.Values = slices.Clone(s.Values)
	return s
}

func (s Score) equal(o Score) bool {
	return s.Failing == o.Failing && slices.Equal(s.Values, o.Values)
}

func (s Score) value(gate string) *float64 {
	for i := range s.Values {
		if s.Values[i].Gate == gate {
			return &s.Values[i].Value
		}
	}
	return nil
}

// score counts failing tests only where each gate that failed tells their number: a runner that
// stopped at the first has not fewer.
func (a Attempt) score() Score {
	s, unknown := Score{Failing: -1}, false
	for _, r := range a.Results {
		switch t := r.Deciding(); {
		case r.Level == Soft || t == nil:
		case t.Run.Known():
			s.Failing = max(s.Failing, 0) + t.Failed
		default:
			unknown = unknown || r.Verdict != Passed
		}
		if r.Value != nil {
			s.Values = append(s.Values, Value{r.Gate, *r.Value, r.Level != Soft && r.Verdict != Passed})
		}
	}
	if unknown {
		s.Failing = -1
	}
	return s
}

// fewerTests compares failing tests. Two attempts without any tell nothing:
// something else fails.
func fewerTests(now, before Score) (fewer, known bool) {
	known = now.Failing >= 0 && before.Failing >= 0 && now.Failing+before.Failing > 0
	return known && now.Failing < before.Failing, known
}

// higherValue compares the values of the gates that fail now.
func higherValue(now, before Score) (higher, known bool) {
	for _, v := range now.Values {
		old := before.value(v.Gate)
		if !v.Failing || old == nil {
			continue
		}
		known = true
		higher = higher || v.Value > *old
	}
	return higher, known
}

// betterThanAll reports whether now is better than every one of the earlier
// scores it can be compared with, and whether there was any.
func betterThanAll(now Score, earlier []Score) (better, known bool) {
	better = true
	for _, e := range earlier {
		fewer, counted := fewerTests(now, e)
		higher, measured := higherValue(now, e)
		if !counted && !measured {
			continue
		}
		known = true
		better = better && (fewer || higher)
	}
	return better && known, known
}

// keepBest adds a score to the best ones. A score that another covers is left
// out: any score better than the other is better than it too.
func keepBest(best []Score, s Score) []Score {
	if slices.ContainsFunc(best, func(b Score) bool { return b.covers(s) }) {
		return best
	}
	best = slices.DeleteFunc(best, func(b Score) bool { return s.covers(b) })
	return append(best, s)
}

// covers: both measured the same, and o was nowhere better.
func (s Score) covers(o Score) bool {
	if (s.Failing < 0) != (o.Failing < 0) || s.Failing > o.Failing || len(s.Values) != len(o.Values) {
		return false
	}
	return !slices.ContainsFunc(o.Values, func(v Value) bool {
		mine := s.value(v.Gate)
		return mine == nil || *mine < v.Value
	})
}
