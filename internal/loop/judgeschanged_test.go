package loop

import "testing"

// TestJudgesChangedSaysWhy: that a name which could be an option judges has no other sign, so
// the concern gives the reason.
func TestJudgesChangedSaysWhy(t *testing.T) {
	t.Parallel()
	const why = "; a command that is given * takes a name that begins with a dash for an option"
	for file, want := range map[string]string{
		"src/-dash.js": "the work changes files that judge it (src/-dash.js)" + why,
		"--exclude=*":  "the work changes files that judge it (--exclude=*)" + why,
		"src/a-b.js":   "the work changes files that judge it (src/a-b.js)",
	} {
		if got := judgesChanged([]Result{{Judging: &Judging{SetAside: []string{file}}}}); got != want {
			t.Errorf("%s: %s\nwant %s", file, got, want)
		}
	}
}
