package loop

import (
	"slices"
	"strings"
)

// JudgesReview is the kind of review that may permit changes of judge files. It is
// asked only where nothing else is in the way of the attempt, and blocks nothing.
const JudgesReview = "judges"

// JudgesGate is the name of its gate.
const JudgesGate = "review-judges"

// IsJudgesReview reports whether the gate asks reviewers to permit changes of judge
// files.
func (g Gate) IsJudgesReview() bool {
	return g.Kind == KindReview && g.Review != nil && g.Review.Kind == JudgesReview
}

// JudgeFile is the answer of a reviewer about one judge file that the work changed.
type JudgeFile struct {
	Path string `json:"path"`
	// ID is the git object of its content; empty where the work removed it. The answer
	// holds for this content only.
	ID      string `json:"id,omitempty"`
	Allowed bool   `json:"allowed"`
	// By is the reviewer; empty where none has answered.
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Contested are the judge files on which the attempt depends: each hard gate that does
// not pass does so with the work's own. Nil where anything else is in the way.
func (s *State) Contested(have []Result) (files []string) {
	for _, g := range s.hard() {
		r := ResultOf(have, g.Name)
		switch {
		case r == nil:
			return nil
		case !g.BlockedBy(*r):
		case r.Verdict != Failed || r.Judging == nil || len(r.Judging.SetAside) == 0:
			return nil
		default:
			files = append(files, r.Judging.SetAside...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// judgesReview is the gate that is asked about contested files.
func (s *State) judgesReview(have []Result) []Gate {
	if len(s.Contested(have)) == 0 {
		return nil
	}
	return s.pick(Gate.IsJudgesReview)
}

// reopen drops the results of gates that used a file which a reviewer allowed: they
// are evaluated again.
func (s *State) reopen(have []Result, review Result) []Result {
	return slices.DeleteFunc(have, func(r Result) bool {
		g, _ := s.Gate(r.Gate)
		return r.Judging != nil && g.BlockedBy(r) && slices.ContainsFunc(review.Judges, func(f JudgeFile) bool {
			return f.Allowed && slices.Contains(r.Judging.SetAside, f.Path)
		})
	})
}

// Reviewed are the judge files that reviewers allowed on the newest commit.
func (s *State) Reviewed() (files []JudgeFile) {
	if a := s.Last(); a != nil {
		for _, r := range a.Results {
			files = append(files, slices.DeleteFunc(slices.Clone(r.Judges), func(f JudgeFile) bool { return !f.Allowed })...)
		}
	}
	return files
}

// Answered finds what reviewers said about this very content of a file in one of the
// attempts that the state has.
func (s *State) Answered(path, id string) (JudgeFile, bool) {
	for _, a := range slices.Backward(s.Recent) {
		for _, r := range a.Results {
			for _, f := range r.Judges {
				if f.Path == path && f.ID == id && f.By != "" {
					return f, true
				}
			}
		}
	}
	return JudgeFile{}, false
}

// reviewedWords names the reviewers and the files that they allowed, for a concern.
func (s *State) reviewedWords() string {
	var files, who []string
	for _, f := range s.Reviewed() {
		files, who = append(files, f.Path), append(who, f.By)
	}
	if len(files) == 0 {
		return ""
	}
	slices.Sort(who)
	return "; no person but " + strings.Join(slices.Compact(who), ", ") + " allowed " + strings.Join(files, ", ")
}
