package loop

import "slices"

// Tally summarizes all judged attempts for decisions, which read only the
// newest attempt besides.
type Tally struct {
	Judged int `json:"judged"`
	// Passed counts the attempts that passed.
	Passed int `json:"passed,omitempty"`
	// Red counts the attempts that a hard gate did not pass.
	Red int `json:"red,omitempty"`
	// Unchanged counts the newest attempts that changed nothing although their agent
	// did not fail. AgentFailed counts those that changed nothing since it failed as
	// FailedAs says.
	Unchanged   int    `json:"unchanged,omitempty"`
	AgentFailed int    `json:"agent_failed,omitempty"`
	FailedAs    string `json:"failed_as,omitempty"`
	// Repeats counts the newest attempts that failed alike. Shifts counts those
	// after the first of them that tried another approach; Expanded: one had more
	// context.
	Repeats  int  `json:"repeats,omitempty"`
	Shifts   int  `json:"shifts,omitempty"`
	Expanded bool `json:"expanded,omitempty"`
	// Falls are the gates whose failing value fell in the newest attempts.
	Falls []Falls `json:"falls,omitempty"`
	// Fingerprints are the distinct failures, each with its detail; Last is the
	// fingerprint of the newest attempt.
	Fingerprints []string `json:"fingerprints,omitempty"`
	Last         string   `json:"last,omitempty"`
	// Newest are the scores of the newest attempts, as many as the plateau
	// detector compares and at least one, those that are equal in a row together; Best
	// are the scores before them, without those that another one makes superfluous.
	Newest []Scores `json:"newest,omitempty"`
	Best   []Score  `json:"best,omitempty"`
	// Results has the newest result of each gate on the work, briefly: a dispute
	// quotes it.
	Results []Result `json:"results,omitempty"`
}

// The most that a tally holds, so that it has a maximum: a failure that more than
// so many others follow counts as new when it comes back.
const (
	mostFingerprints = 512
	mostBest         = 32
	mostNewest       = 256
)

// Falls counts how often running a failing value of a gate fell.
type Falls struct {
	Gate string `json:"gate"`
	N    int    `json:"n"`
}

// tally returns the tally of the judged attempts. States of older versions, and
// of loops that were imported, have none yet.
func (s *State) tally() Tally {
	if s.Tally != nil {
		return s.Tally.clone()
	}
	var t Tally
	for _, a := range s.judged() {
		t.add(a, a.Verdict == Failed && len(s.blocking(a.Results)) > 0, s.Limits.Plateau)
	}
	return t
}

// judged are the attempts without one that is still under way.
func (s *State) judged() []Attempt {
	if a := s.Last(); a != nil && a.Verdict == "" {
		return s.Recent[:len(s.Recent)-1]
	}
	return s.Recent
}

// add counts one more judged attempt.
func (t *Tally) add(a Attempt, red bool, plateau int) {
	now, before := a.score(), t.newest()
	t.repeat(a, now, before)
	t.fall(now, before)
	t.Judged++
	if a.Verdict == Passed {
		t.Passed++
	}
	if red {
		t.Red++
	}
	t.Unchanged++
	if a.Changed || a.Agent.failed() {
		t.Unchanged = 0
	}
	t.failing(a)
	t.report(a.Results)
	t.Last = a.Fingerprint
	if key := a.failure(); !slices.Contains(t.Fingerprints, key) {
		t.Fingerprints = newest(append(t.Fingerprints, key), mostFingerprints)
	}
	t.score(now, max(plateau, 1))
}

func (t *Tally) newest() Score {
	if len(t.Newest) == 0 {
		return Score{Failing: -1}
	}
	return t.Newest[len(t.Newest)-1].Score
}

// repeat continues the series of equal failures, or begins another. The first
// attempt of a series was made for the failure before it.
func (t *Tally) repeat(a Attempt, now, before Score) {
	fewer, _ := fewerTests(now, before)
	switch {
	case a.Verdict == Passed:
		t.Repeats, t.Shifts, t.Expanded = 0, 0, false
	case t.Repeats == 0, a.Fingerprint == "", a.Fingerprint != t.Last, fewer:
		t.Repeats, t.Shifts, t.Expanded = 1, 0, false
	default:
		t.Repeats++
		t.Expanded = t.Expanded || a.Approach.Expand
		if a.Approach.Shift {
			t.Shifts++
		}
	}
}

func (t *Tally) fall(now, before Score) {
	var falls []Falls
	for _, v := range now.Values {
		if old := before.value(v.Gate); v.Failing && old != nil && v.Value < *old {
			falls = append(falls, Falls{v.Gate, t.falls(v.Gate) + 1})
		}
	}
	t.Falls = falls
}

// report keeps the results of gates in place of older ones.
func (t *Tally) report(results []Result) {
	for _, r := range results {
		t.Results = slices.DeleteFunc(t.Results, func(old Result) bool { return old.Gate == r.Gate })
		t.Results = append(t.Results, r.brief())
	}
}

func (t *Tally) falls(gate string) int {
	for _, f := range t.Falls {
		if f.Gate == gate {
			return f.N
		}
	}
	return 0
}

// improved reports whether an attempt is better than those before it: than the
// newest in a value or in failing tests; the first is always progress (seed 000).
// Where nothing was measured, or as many tests fail as before, a failure that
// was not seen yet is progress: going back and forth between two is none.
func (t *Tally) improved(a Attempt) bool {
	if t.Judged == 0 {
		return true
	}
	now, before := a.score(), t.newest()
	if higher, measured := higherValue(now, before); measured {
		return higher
	}
	if fewer, _ := fewerTests(now, before); fewer {
		return true
	}
	more, _ := fewerTests(before, now)
	return !more && !slices.Contains(t.Fingerprints, a.failure())
}

// failure identifies what was seen before: the failed tests, and what they print.
// Another line of the same test is progress for the stall detector, and the same
// failure for the detector of repeated ones.
func (a Attempt) failure() string {
	if a.Detail == "" {
		return a.Fingerprint
	}
	return a.Fingerprint + "." + a.Detail
}

// plateau reports whether none of the newest attempts is better than the best
// before them, where a value or failing tests are known.
func (t *Tally) plateau(n int) bool {
	if n == 0 || len(t.Best) == 0 || compared(t.Newest) < n {
		return false
	}
	return !slices.ContainsFunc(t.Newest, func(now Scores) bool {
		better, known := betterThanAll(now.Score, t.Best)
		return better || !known
	})
}

func (t Tally) clone() Tally {
	t.Falls, t.Fingerprints = slices.Clone(t.Falls), slices.Clone(t.Fingerprints)
	t.Newest, t.Best = each(t.Newest, Scores.clone), each(t.Best, Score.clone)
	t.Results = each(t.Results, Result.clone)
	return t
}

// Repeats returns how many attempts running, up to the newest judged one, failed
// alike.
func (s *State) Repeats() int { return s.tally().Repeats }

// Judged returns how many attempts have a verdict, and how many of them passed.
func (s *State) Judged() (all, passed int) {
	t := s.tally()
	return t.Judged, t.Passed
}

// Falls counts how often running a failing value of a gate fell, up to the
// newest judged attempt; as the regression detector counts.
func (s *State) Falls(gate string) int {
	t := s.tally()
	return t.falls(gate)
}
