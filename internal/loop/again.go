package loop

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A test that is red and green on the same files is flaky: red on the base by luck, it proves
// any work. So before a verdict rests on a gate that failed on the base, the gate runs there
// once more, once a loop (DoGate in StepProof). Only what is red both times counts.

// takeAgain takes the second result of a gate on the base.
func (s *State) takeAgain(r Result, at time.Time) string {
	a := s.Last()
	_, g := s.redOnBase(a)
	switch {
	case g == nil || g.Name != r.Gate:
		return "gate " + r.Gate + " is not to be evaluated again"
	case r.Commit != s.Base:
		return "the result is about " + r.Commit + ", the base is " + s.Base
	}
	r.Excerpt = ""
	s.BaseAgain, s.Retries = append(s.BaseAgain, r), 0
	if s.prove(a) {
		return ""
	}
	return s.afterProof(a, at)
}

// afterProof continues with the other gates of an attempt, or with its verdict.
func (s *State) afterProof(a *Attempt, at time.Time) string {
	if len(s.open(a.Results, false)) > 0 {
		s.boundary(StepGates)
		return ""
	}
	s.giveVerdict(at)
	return ""
}

// redTwice returns the tests that failed in both runs of a gate on the base. Without names
// its exit code must say the same twice.
func redTwice(first, second Result) (tests []string, ok bool) {
	if !failedByItself(second) || second.Flaky != "" {
		return nil, false
	}
	was, is := redTests(first), redTests(second)
	tests = slices.DeleteFunc(slices.Clone(was), func(id string) bool { return !slices.Contains(is, id) })
	return tests, len(tests) > 0 || len(was)+len(is) == 0
}

func redTests(r Result) []string {
	if r.Tests == nil {
		return nil
	}
	return r.Tests.Failing
}

// flakyOnBase names what was red on the base once and is no proof, since it was not red there
// again; "" is nothing.
func (s *State) flakyOnBase() string {
	for _, second := range s.BaseAgain {
		first := ResultOf(s.BaseResults, second.Gate)
		if first == nil {
			continue
		}
		if _, ok := redTwice(*first, second); ok {
			continue
		}
		what := []string{"gate " + second.Gate}
		if ids := redTests(*first); len(ids) > 0 && !first.Hidden {
			what = ids
		}
		if second.Verdict != Passed && !failedByItself(second) {
			return "gate " + second.Gate + " was red on the base, and not seen to be so again: " + reasonOf(second)
		}
		return "on the base " + RedAndGreen(what)
	}
	return ""
}

// RedAndGreen says of tests, or of a gate, that they are flaky.
func RedAndGreen(what []string) string {
	const most = 3
	list, are := strings.Join(what[:min(len(what), most)], ", "), "is"
	if len(what) > 1 {
		are = "are"
	}
	if more := len(what) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list + " " + are + " red and green on the same files: flaky"
}
