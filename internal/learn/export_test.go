package learn

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestExportGolden shows the four files of the seed.
func TestExportGolden(t *testing.T) {
	t.Parallel()
	note, err := NewNote(NoteInput{Text: "No mocks.", By: "ann", Paths: []string{"internal/**"}}, at(5))
	if err != nil {
		t.Fatal(err)
	}
	all := known(append(append(extracted(fixed(), left), extracted(stuck(), left)...), note)...)
	all[1].Used, all[1].Decided, all[1].Helped = 3, 2, 1
	all[3].Review = Promoted
	all[4].Review = Dropped
	slices.Reverse(all)
	files := Export(all, []loop.State{fixed(), stuck(), begun("x").State})
	golden(t, "export", asJSON(t, files))
	if len(files) != 4 {
		t.Errorf("%d files", len(files))
	}
}

// TestExportedAsTheSeedWantsIt: the rules of the seed's schema.
func TestExportedAsTheSeedWantsIt(t *testing.T) {
	t.Parallel()
	ids := regexp.MustCompile(`^pat-(error|success|anti)-[a-z0-9-]+-\d{3}$`)
	for _, k := range known(append(extracted(fixed(), left), append(extracted(stuck(), left), Pattern{Kind: ErrorFix, Gate: "Ünit Tests!", Text: "x"})...)...) {
		var b exported
		var text string
		switch k.Kind {
		case ErrorFix:
			e := errorPattern(k)
			b, text = e.exported, e.Fix.Description
			if e.Signature.Pattern == "" {
				t.Errorf("no error pattern: %+v", e)
			}
		case Success:
			b, text = successPattern(k).exported, successPattern(k).Approach.Description
		case Anti:
			b, text = antiPattern(k).exported, antiPattern(k).Approach
		}
		if !ids.MatchString(b.ID) || (b.SuccessRate == nil) != (k.Kind == Anti) || b.SuccessRate != nil && (*b.SuccessRate < 0 || *b.SuccessRate > 1) || len(text) < 20 {
			t.Errorf("%+v %q", b, text)
		}
	}
}

func TestKindsOfErrorAndFix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p              Pattern
		kind, category string
	}{
		{Pattern{Error: []string{"TypeError: x is null"}, Diff: "--- a.ts\n+import x from 'y'\n+"}, "TypeError", "add_import"},
		{Pattern{Error: []string{"context deadline exceeded"}, Files: []string{"go.mod", "go.sum"}}, "TimeoutError", "update_dependency"},
		{Pattern{GateKind: loop.KindTests, Failing: []string{"a"}, Files: []string{"go.mod", "a.go"}, Diff: "+\t\"os/exec\"\n+\tx()"}, "AssertionError", "other"},
		{Pattern{}, "Other", "other"},
	} {
		k := Known{Pattern: c.p}
		if got := errorType(k); got != c.kind {
			t.Errorf("%v: %s", c.p, got)
		}
		if got := fixCategory(k); got != c.category {
			t.Errorf("%v: %s", c.p, got)
		}
	}
	if got := successRate(Known{}); got != 1 {
		t.Errorf("rate %v", got)
	}
	if got := describe(Known{Pattern: Pattern{Kind: Note, Text: strings.Repeat("é", 3)}}); len(got) < 20 {
		t.Error(got)
	}
}
