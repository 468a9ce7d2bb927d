package loop

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// contesting is a state whose hard gates a and b have the given results.
func contesting(results ...Result) *State {
	var s State
	s.Gates = []Gate{{Name: "a", Level: Hard}, {Name: "b", Level: Hard}, {
		Name: JudgesGate, Kind: KindReview, Level: Soft, Review: &Review{Kind: JudgesReview, Reviewers: []Agent{{Name: "r"}}},
	}}
	s.Step, s.Differs = StepGates, true
	s.Recent = []Attempt{{N: 1, Results: results}}
	return &s
}

func TestContested(t *testing.T) {
	t.Parallel()
	green := func(gate string) Result { return Result{Gate: gate, Verdict: Passed} }
	aside := func(gate string, v Verdict, files ...string) Result {
		return Result{Gate: gate, Verdict: v, Judging: &Judging{Verdict: Failed, SetAside: files, Changed: len(files)}}
	}
	for name, c := range map[string]struct {
		have []Result
		want []string
	}{
		"nothing ran":                   {nil, nil},
		"one gate is missing":           {[]Result{aside("a", Failed, "x_test.go")}, nil},
		"all pass":                      {[]Result{green("a"), green("b")}, nil},
		"judge files are in the way":    {[]Result{aside("a", Failed, "y_test.go", "x_test.go"), green("b")}, []string{"x_test.go", "y_test.go"}},
		"of two gates":                  {[]Result{aside("a", Failed, "x_test.go"), aside("b", Failed, "x_test.go", "z")}, []string{"x_test.go", "z"}},
		"another failure too":           {[]Result{aside("a", Failed, "x_test.go"), {Gate: "b", Verdict: Failed}}, nil},
		"an error":                      {[]Result{aside("a", Error, "x_test.go"), green("b")}, nil},
		"only new tests were set aside": {[]Result{aside("a", Failed), green("b")}, nil},
		"passed with both":              {[]Result{aside("a", Passed, "x_test.go"), green("b")}, nil},
	} {
		s := contesting(c.have...)
		if diff := cmp.Diff(c.want, s.Contested(c.have)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		asked := slices.ContainsFunc(s.open(c.have, false), Gate.IsJudgesReview)
		if asked != (c.want != nil) {
			t.Errorf("%s: reviewers are asked: %v", name, asked)
		}
	}
}

// Only the gates that used an allowed file run again, and reviewers are asked once.
func TestReopenedByAReview(t *testing.T) {
	t.Parallel()
	a := Result{Gate: "a", Verdict: Failed, Judging: &Judging{SetAside: []string{"x_test.go"}, Changed: 1}}
	b := Result{Gate: "b", Verdict: Failed, Judging: &Judging{SetAside: []string{"y_test.go"}, Changed: 1}}
	review := Result{Gate: JudgesGate, Level: Soft, Verdict: Failed, Judges: []JudgeFile{
		{Path: "x_test.go", ID: "1", Allowed: true, By: "r"}, {Path: "y_test.go", ID: "2", By: "r"},
	}}
	s := contesting(a, b, review)
	s.Recent[0].Results = s.reopen(s.Recent[0].Results, review)
	if diff := cmp.Diff([]Result{b, review}, s.Recent[0].Results); diff != "" {
		t.Error(diff)
	}
	if open := s.open(s.Recent[0].Results, false); len(open) != 1 || open[0].Name != "a" {
		t.Errorf("open: %v", open)
	}
	if s.SoftFailures() != nil {
		t.Errorf("soft failures: %v", s.SoftFailures())
	}
	again := contesting(a, b, review)
	if slices.ContainsFunc(again.open(again.Recent[0].Results, false), Gate.IsJudgesReview) {
		t.Error("reviewers are asked twice about one commit")
	}
	for _, c := range []struct {
		path, id string
		known    bool
	}{{"x_test.go", "1", true}, {"y_test.go", "2", true}, {"x_test.go", "3", false}, {"z_test.go", "1", false}} {
		if f, ok := s.Answered(c.path, c.id); ok != c.known || ok && f.By != "r" {
			t.Errorf("%s %s: %v, %v", c.path, c.id, f, ok)
		}
	}
}
