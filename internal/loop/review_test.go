package loop

import "testing"

func TestReviewsFor(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		review Review
		work   Work
		there  bool
		paths  int
	}{
		"always":                   {Review{}, Work{}, true, 0},
		"criteria":                 {Review{Criteria: true}, Work{Criteria: true}, true, 0},
		"no criteria":              {Review{Criteria: true}, Work{}, false, 0},
		"label":                    {Review{Labels: []string{"Security"}}, Work{Labels: []string{"x", "security"}}, true, 0},
		"other label":              {Review{Labels: []string{"security"}}, Work{Labels: []string{"docs"}}, false, 0},
		"phase":                    {Review{Phases: []string{"1"}}, Work{Phase: "1"}, true, 0},
		"no phase":                 {Review{Phases: []string{""}}, Work{}, false, 0},
		"files decide":             {Review{Paths: []string{"a/**"}}, Work{}, true, 1},
		"files decide, no label":   {Review{Labels: []string{"x"}, Paths: []string{"a/**"}}, Work{}, true, 1},
		"a label beats the files":  {Review{Labels: []string{"x"}, Paths: []string{"a/**"}}, Work{Labels: []string{"x"}}, true, 0},
		"criteria beat everything": {Review{Criteria: true, Labels: []string{"x"}}, Work{Labels: []string{"x"}}, false, 0},
	} {
		r := tt.review
		got := ReviewsFor([]Gate{{Name: "tests"}, {Name: "r", Kind: KindReview, Review: &r}}, tt.work)
		if (len(got) == 2) != tt.there || len(got) == 0 || tt.there && len(got[1].Review.Paths) != tt.paths {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
