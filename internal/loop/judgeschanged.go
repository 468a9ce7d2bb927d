package loop

import (
	"path"
	"slices"
	"strings"
)

// judgesChanged names the files that judge the work and that it changed: with
// permission, or in vain.
func judgesChanged(results []Result) string {
	all := Attempt{Results: results}.JudgesChanged()
	if len(all) == 0 {
		return ""
	}
	permitted, how := []string{}, ""
	for _, r := range results {
		permitted = append(permitted, r.Permitted...)
	}
	if !slices.ContainsFunc(all, func(f string) bool { return !slices.Contains(permitted, f) }) {
		how = ", as permitted"
	}
	return "the work changes files that judge it" + how + " (" + strings.Join(all, ", ") + ")" + likeOptions(all)
}

// likeOptions explains why files judge of which no other reason shows: the shell passes them
// to a command with others (grep -L x *).
func likeOptions(files []string) string {
	if slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, "-") || strings.HasPrefix(path.Base(f), "-") }) {
		return "; a command that is given * takes a name that begins with a dash for an option"
	}
	return ""
}

// JudgesChanged returns the files that judge the attempt and that it changed.
func (a Attempt) JudgesChanged() (files []string) {
	for _, r := range a.Results {
		files = append(append(files, r.Restored...), r.Permitted...)
		if r.Judging != nil {
			files = append(files, r.Judging.SetAside...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// TestsChanged begins the note of an attempt that changed tests of its base.
const TestsChanged = "changed tests that were there before: "

// tellsOnly reports whether a note is about changed tests, and about none but these files.
func tellsOnly(note string, files []string) bool {
	tests, ok := strings.CutPrefix(note, TestsChanged)
	return ok && !slices.ContainsFunc(strings.Split(tests, ", "), func(f string) bool { return !slices.Contains(files, f) })
}

// ToldByConcern reports whether a note of an attempt tells no more than a concern about the
// work does: that it changes files that judge it.
func (s *State) ToldByConcern(a Attempt, note string) bool {
	return s.JudgesConcern(a) && tellsOnly(note, a.JudgesChanged())
}

// JudgesConcern reports whether a concern names the judge files that an attempt changed.
func (s *State) JudgesConcern(a Attempt) bool {
	last := s.Last()
	return last != nil && last.N == a.N && slices.ContainsFunc(s.Concerns(), func(c Concern) bool { return c.Code == ConcernJudges })
}
