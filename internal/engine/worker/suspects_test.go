package worker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ralph/internal/proof/suspect"
)

// TestEachKind: many harmless lines in files of early names leave the grave ones in sight.
func TestEachKind(t *testing.T) {
	t.Parallel()
	var found []suspect.Finding
	for i := range 300 {
		found = append(found, suspect.Finding{Path: fmt.Sprintf("m%03d.py", i), Line: 1, What: "looks at the clock, the process or its folder: it may work only now or only here"})
	}
	for i := range 40 {
		found = append(found, suspect.Finding{Path: fmt.Sprintf("n%03d.py", i), Line: 1, What: "ends the process, and can end a test run early"})
	}
	found = append(found, suspect.Finding{Path: "z.py", Line: 2, What: "changes a library or global setting that tests may use"})
	got := firstOf(eachKind(found))
	if len(got) != mostTold+1 || !strings.HasPrefix(got[0], "n000.py:1 ends") || !strings.HasPrefix(got[1], "z.py:2 changes") || !strings.HasPrefix(got[2], "m000.py:1 looks") || got[mostTold] != "and 311 more in the diff" {
		t.Errorf("%q", got)
	}
	few := eachKind([]suspect.Finding{found[0], found[300], found[301]})
	if want := []string{found[300].String(), found[301].String(), found[0].String()}; !slices.Equal(few, want) {
		t.Errorf("%q", few)
	}
}

// TestSuspectsAreQuoted: a person reads the line itself, cut and without what would steer a terminal.
func TestSuspectsAreQuoted(t *testing.T) {
	t.Parallel()
	got := eachFile([]suspect.Finding{{Path: "a.py", Line: 2, What: "ends the process", Code: "os._exit(0)\x1b[2K"}, {Path: "a.py", Line: 3, What: "is odd", Code: strings.Repeat("x", 1000)}})
	want := []string{"a.py:2 ends the process (os._exit(0)␛[2K)", "a.py:3 is odd (" + strings.Repeat("x", 59) + "…)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Two files whose names differ in characters that hide others are told as two.
func TestSuspectsShowHiddenCharacters(t *testing.T) {
	t.Parallel()
	got := eachFile([]suspect.Finding{{Path: "a\x1b[2Kb.py", Line: 2, What: "ends the process"}, {Path: "ab.py", Line: 2, What: "ends the process"}, {Path: "a\n\u202eb.py", Line: 1, What: "ends the process"}})
	want := []string{"a␛[2Kb.py:2 ends the process", "ab.py:2 ends the process", `a␊\u202eb.py:1 ends the process`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
