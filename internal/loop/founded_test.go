package loop

import "testing"

// TestFounded: a verdict that does not follow from the results of its gates is refused.
func TestFounded(t *testing.T) {
	t.Parallel()
	passed := func(commit string, v Verdict) []Result { return []Result{{Gate: "tests", Commit: commit, Verdict: v}} }
	for name, tt := range map[string]struct {
		change func(*State)
		want   bool
	}{
		"as it is":          {func(*State) {}, true},
		"not passed":        {func(s *State) { s.Status = StatusFailed }, false},
		"no attempt":        {func(s *State) { s.Recent = nil }, false},
		"no result":         {func(s *State) { s.Recent[0].Results = nil }, false},
		"a failed gate":     {func(s *State) { s.Recent[0].Results = passed("c1", Failed) }, false},
		"an error":          {func(s *State) { s.Recent[0].Results = passed("c1", Error) }, false},
		"skipped":           {func(s *State) { s.Recent[0].Results = passed("c1", Skipped) }, false},
		"of another commit": {func(s *State) { s.Recent[0].Results = passed("c0", Passed) }, false},
		"for other work":    {func(s *State) { s.Commit = "c2" }, false},
		"a gate without":    {func(s *State) { s.Gates = append(s.Gates, Gate{Name: "lint"}) }, false},
		"a soft gate":       {func(s *State) { s.Gates = append(s.Gates, Gate{Name: "lint", Level: Soft}) }, true},
		"no gate":           {func(s *State) { s.Gates = nil }, false},
		"green on its base": {func(s *State) { s.Reason, s.Base, s.BaseResults = AlreadyGreen, "c0", passed("c0", Passed) }, true},
		"red on its base":   {func(s *State) { s.Reason, s.Base, s.BaseResults = AlreadyGreen, "c0", passed("c0", Failed) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := State{Status: StatusPassed, Reason: Green, Commit: "c1", Recent: []Attempt{{N: 1, Commit: "c1", Results: passed("c1", Passed)}}}
			s.Mode, s.Gates = Supervised, []Gate{{Name: "tests"}}
			if tt.change(&s); (s.Founded() == nil) != tt.want {
				t.Errorf("%v", s.Founded())
			}
		})
	}
}
