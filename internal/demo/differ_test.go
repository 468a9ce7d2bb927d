package demo

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// announced is the record of a story that ended as it should.
func announced(s Story) loop.State {
	got := loop.State{Status: s.Ending.Status, Reason: s.Ending.Reason}
	for _, want := range s.Ending.Attempts {
		a := loop.Attempt{N: len(got.Recent) + 1, Verdict: loop.Failed, Changed: want.Changed}
		a.Approach.Shift = want.Shift
		if want.Cheat {
			a.Results = []loop.Result{{Judging: &loop.Judging{Verdict: loop.Failed}}}
		}
		switch {
		case want.Passed:
			a.Verdict = loop.Passed
		case want.Same:
			a.Fingerprint = got.Last().Fingerprint
		default:
			a.Fingerprint = string(rune('a' + len(got.Recent)))
		}
		got.Recent = append(got.Recent, a)
	}
	if s.Ending.Kept {
		got.FailureRef = "wip/ralph-fail-" + s.Name + "-20261120-120000"
	}
	return got
}

func TestAsAnnounced(t *testing.T) {
	t.Parallel()
	for _, s := range Stories() {
		if diff := s.Differs(announced(s)); diff != nil {
			t.Errorf("%s: %q", s.Name, diff)
		}
	}
}

func TestDiffersIsNamed(t *testing.T) {
	t.Parallel()
	slugify, truncate := Stories()[0], Stories()[1]
	for name, c := range map[string]struct {
		story  Story
		change func(*loop.State)
		want   []string
	}{
		"other status": {slugify, func(s *loop.State) { s.Status = loop.Paused }, []string{"slugify: status is paused, announced was passed"}},
		"other reason": {truncate, func(s *loop.State) { s.Reason = loop.NoChange }, []string{"truncate: reason is no_change, announced was max_attempts"}},
		"fewer attempts": {
			slugify, func(s *loop.State) { s.Recent = s.Recent[:3] },
			[]string{"slugify: number of attempts is 3, announced was 4"},
		},
		"none at all": {truncate, func(s *loop.State) { s.Recent = nil }, []string{"truncate: number of attempts is 0, announced was 3"}},
		"no shift": {
			slugify, func(s *loop.State) { s.Recent[3].Approach.Shift = false },
			[]string{"slugify: attempt 4 shifted is false, announced was true"},
		},
		"another failure": {
			slugify, func(s *loop.State) { s.Recent[2].Fingerprint = "z" },
			[]string{"slugify: attempt 3 failed like the one before is false, announced was true"},
		},
		"no cheat": {
			truncate, func(s *loop.State) { s.Recent[1].Results = nil },
			[]string{"truncate: attempt 2 passed only with a rewritten test is false, announced was true"},
		},
		"nothing kept": {
			truncate, func(s *loop.State) { s.FailureRef = "" },
			[]string{"truncate: failed work is kept is false, announced was true"},
		},
		"a lie believed": {
			truncate, func(s *loop.State) { s.Recent[0].Verdict = loop.Passed },
			[]string{"truncate: attempt 1 passed is true, announced was false"},
		},
	} {
		got := announced(c.story)
		c.change(&got)
		if diff := cmp.Diff(c.want, c.story.Differs(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
