package learn

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ralph/internal/loop"
)

func nums(all []Known) []int64 {
	var out []int64
	for _, k := range all {
		out = append(out, k.Num)
	}
	return out
}

// TestMatchOrder: each row is better than all below it.
func TestMatchOrder(t *testing.T) {
	t.Parallel()
	q := Query{Fingerprints: []string{"aaaa0001"}, Paths: []string{"a/b.go", "internal/**"}, Languages: []string{".go"}, Words: []string{"token", "expired"}}
	fix := Pattern{Kind: ErrorFix, Fingerprint: "aaaa0001"}
	path := Pattern{Kind: Success, Files: []string{"a/b.go"}}
	best := []Known{
		{Pattern: fix, Review: Promoted},
		{Pattern: fix, Used: 2, Decided: 2, Helped: 2, Review: Unreviewed},
		{Pattern: fix, Review: Unreviewed, Seen: 3},
		{Pattern: fix, Review: Unreviewed, Seen: 2},
		{Pattern: fix, Used: 2, Decided: 2, Helped: 1, Review: Unreviewed, Updated: at(2)},
		{Pattern: fix, Used: 2, Decided: 2, Helped: 1, Review: Unreviewed, Updated: at(1)},
		{Pattern: fix, Used: 2, Decided: 2, Review: Unreviewed},
		{Pattern: path, Review: Promoted},
		{Pattern: path, Review: Unreviewed},
		{Pattern: Pattern{Kind: Anti, Files: []string{"internal/x/y.go"}}, Review: Unreviewed, Decided: 1},
		{Pattern: Pattern{Kind: Note, Text: "hello"}, Review: Promoted},
		{Pattern: Pattern{Kind: ErrorFix, Fingerprint: "other", Languages: []string{".go"}, Words: []string{"token"}}, Review: Promoted},
		{Pattern: Pattern{Kind: ErrorFix, Languages: []string{".go"}, Words: []string{"token", "expired"}}, Review: Unreviewed, Helped: 1, Decided: 1},
		{Pattern: Pattern{Kind: ErrorFix, Languages: []string{".go"}, Words: []string{"token", "expired"}}, Review: Unreviewed},
	}
	// Fourth and fifth are equal in all but the rate: 1/2 is what is not known.
	for i := range best {
		best[i].Num = int64(i + 1)
		best[i].Sources = from(OutcomeAccepted)
	}
	for i := range best {
		rest := slices.Clone(best[i:])
		slices.Reverse(rest)
		if got := nums(Match(rest, q)); got[0] != best[i].Num {
			t.Errorf("without the %d best, %d comes first", i, got[0])
		}
	}
}

func TestMatchLeavesOut(t *testing.T) {
	t.Parallel()
	q := Query{Fingerprints: []string{"aaaa0001"}, Languages: []string{".go"}, Words: []string{"token"}}
	fix := Pattern{Kind: ErrorFix, Fingerprint: "aaaa0001"}
	for name, c := range map[string]struct {
		k    Known
		q    Query
		want bool
	}{
		"dropped":             {Known{Pattern: fix, Review: Dropped}, q, false},
		"worn":                {Known{Pattern: fix, Review: Unreviewed, Used: 3, Decided: 3, Helped: 1}, q, false},
		"worn, promoted":      {Known{Pattern: fix, Review: Promoted, Used: 3, Decided: 3}, q, true},
		"two uses":            {Known{Pattern: fix, Review: Unreviewed, Used: 2, Decided: 2}, q, true},
		"undecided":           {Known{Pattern: fix, Review: Unreviewed, Used: 9, Decided: 1}, q, true},
		"half of them helped": {Known{Pattern: fix, Review: Unreviewed, Used: 4, Decided: 4, Helped: 2}, q, true},
		"reviewed only":       {Known{Pattern: fix, Review: Unreviewed}, Query{Fingerprints: q.Fingerprints, Reviewed: true}, false},
		"reviewed":            {Known{Pattern: fix, Review: Promoted}, Query{Fingerprints: q.Fingerprints, Reviewed: true}, true},
		"another failure":     {Known{Pattern: Pattern{Kind: ErrorFix, Fingerprint: "bbbb0002"}, Review: Promoted}, q, false},
		"no failure":          {Known{Pattern: Pattern{Kind: Success}, Review: Promoted}, Query{Fingerprints: []string{""}}, false},
		"language alone":      {Known{Pattern: Pattern{Kind: Success, Languages: []string{".go"}}, Review: Promoted}, q, false},
		"one word":            {Known{Pattern: Pattern{Kind: Success, Languages: []string{".go"}, Words: []string{"token"}}, Review: Unreviewed}, q, false},
		"a note elsewhere":    {Known{Pattern: Pattern{Kind: Note, Text: "x", Paths: []string{"web/**"}}, Review: Promoted}, q, false},
		"a note here":         {Known{Pattern: Pattern{Kind: Note, Text: "x", Paths: []string{"web/**"}}, Review: Promoted}, Query{Paths: []string{"web/a/b.ts"}}, true},
		"a folder's name":     {Known{Pattern: Pattern{Kind: Note, Text: "x", Paths: []string{"web"}}, Review: Promoted}, Query{Paths: []string{"web/a/b.ts"}}, true},
	} {
		c.k.Sources = from(OutcomeAccepted)
		if got := len(Match([]Known{c.k}, c.q)) == 1; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// anyKnown is a pattern of few enough values that they meet.
func anyKnown() *rapid.Generator[Known] {
	return rapid.Custom(func(t *rapid.T) Known {
		few := rapid.SampledFrom([]string{"", "a", "b", "c.go", "d/e.go"})
		list := rapid.SliceOfN(few, 0, 3)
		decided := rapid.IntRange(0, 5).Draw(t, "decided")
		return Known{
			Num: rapid.Int64Range(1, 1<<40).Draw(t, "num"),
			Pattern: Pattern{
				Kind: rapid.SampledFrom(kinds()).Draw(t, "kind"), Fingerprint: few.Draw(t, "fingerprint"), Gate: few.Draw(t, "gate"),
				Files: list.Draw(t, "files"), Paths: list.Draw(t, "paths"), Languages: list.Draw(t, "languages"),
				Words: list.Draw(t, "words"), Text: rapid.StringN(0, 40, 3000).Draw(t, "text"),
				Error: rapid.SliceOfN(rapid.StringN(0, 200, 4000), 0, 20).Draw(t, "error"), Diff: rapid.StringN(0, 400, 4000).Draw(t, "diff"),
				Fell: rapid.Bool().Draw(t, "fell"), Agent: few.Draw(t, "agent"),
				Sources: from(rapid.SampledFrom(outcomes).Draw(t, "outcome")),
			},
			Review:  rapid.SampledFrom([]Review{Unreviewed, Promoted, Dropped}).Draw(t, "review"),
			Seen:    rapid.IntRange(0, 3).Draw(t, "seen"),
			Decided: decided, Used: decided, Helped: rapid.IntRange(0, decided).Draw(t, "helped"),
			Updated: at(rapid.IntRange(0, 3).Draw(t, "updated")),
		}
	})
}

func TestMatchAndRenderAlways(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfNDistinct(anyKnown(), 0, 12, func(k Known) int64 { return k.Num }).Draw(t, "all")
		few := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c.go", "d/e.go", "**"}), 0, 4)
		q := Query{
			Fingerprints: few.Draw(t, "f"), Paths: few.Draw(t, "p"), Languages: few.Draw(t, "l"), Words: few.Draw(t, "w"),
			Reviewed: rapid.Bool().Draw(t, "reviewed"),
		}
		found := Match(all, q)
		if len(found) > mostShown {
			t.Fatalf("%d were found", len(found))
		}
		for _, k := range found {
			if k.Withheld() != "" || q.Reviewed && k.Review != Promoted {
				t.Fatalf("found %+v", k)
			}
		}
		mixed := rapid.Permutation(all).Draw(t, "mixed")
		if d := cmp.Diff(nums(found), nums(Match(mixed, q))); d != "" {
			t.Fatalf("the order of the memory matters: %s", d)
		}
		most := rapid.IntRange(0, MostBytes).Draw(t, "most")
		section, shown := Render(all, "n0nce", most)
		sound(t, section, shown, most)
	})
}

func TestHelped(t *testing.T) {
	t.Parallel()
	red, other := failed("aaaa0001", wrongStatus, "a"), failed("bbbb0002", noClock)
	p := Pattern{Kind: ErrorFix, Fingerprint: "aaaa0001"}
	for name, c := range map[string]struct {
		s               loop.State
		p               Pattern
		helped, decided bool
	}{
		"passed":               {fixed(), Pattern{}, true, true},
		"fixed, not passed":    {begun("x").base(red).attempt(auth, passed("tests"), covered(1)).ends(loop.StatusFailed, loop.MaxAttempts), p, true, true},
		"out of sight":         {begun("x").base(red).attempt(auth, other).ends(loop.StatusFailed, loop.MaxAttempts), p, false, true},
		"still there":          {stuck(), p, false, true},
		"never there":          {begun("x").base(other).attempt(auth, other).ends(loop.StatusFailed, loop.MaxAttempts), p, false, true},
		"aborted by a person":  {begun("x").base(red).ends(loop.Aborted, loop.Manual), p, false, false},
		"fixed, then aborted":  {begun("x").base(red).attempt(auth, passed("tests"), covered(1)).ends(loop.Aborted, loop.Manual), p, true, true},
		"no agent":             {begun("x").ends(loop.StatusFailed, loop.AgentError), p, false, false},
		"about nothing failed": {begun("x").base(red).attempt(auth, red).ends(loop.StatusFailed, loop.Plateau), Pattern{Kind: Note}, false, true},
	} {
		if helped, decided := Helped(remembered(c.s), c.p); helped != c.helped || decided != c.decided {
			t.Errorf("%s: helped %v, decided %v", name, helped, decided)
		}
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	s := fixed()
	q := Ask(s, []string{"internal/auth/token.go", "web/a.ts", "web/b.ts", "README.md"})
	want := Query{
		Languages: []string{".ts", ".go"}, Paths: auth,
		Words: []string{"reject", "expired", "tokens", "401", "internal", "auth", "token"},
	}
	if d := cmp.Diff(want, q); d != "" {
		t.Error(d)
	}
	s.Recent = s.Recent[:1]
	if got := Failing(s); !slices.Equal(got, []string{"bbbb0002", "c0001edc"}) {
		t.Errorf("after a failed attempt: %q", got)
	}
	s.Recent = append(s.Recent, loop.Attempt{N: 2})
	if got := Failing(s); !slices.Equal(got, []string{"bbbb0002", "c0001edc"}) {
		t.Errorf("while the next one runs: %q", got)
	}
	s.Recent = nil
	if got := Failing(s); !slices.Equal(got, []string{"aaaa0001", "c0001edc"}) {
		t.Errorf("on the base: %q", got)
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	first, second := extracted(fixed(), left), extracted(fixed(), left)
	last := len(first) - 1
	second[last].Attempts = Attempts{5, 5, 5}
	second[last].Sources[0].Loop = "later"
	got := Merge(first[last], second[last])
	if got.Attempts != (Attempts{2, 5, 7}) || got.Sources[0].Loop != "later" || len(got.Sources) != 2 {
		t.Errorf("%+v", got)
	}
	for i := range 10 {
		second[last].Sources = []Source{{Loop: strconv.Itoa(i), Attempt: 2, At: at(3)}}
		got = Merge(got, second[last])
	}
	if len(got.Sources) != mostSources || got.Key() != first[last].Key() {
		t.Errorf("%+v", got)
	}
	if first[0].Key() == first[1].Key() {
		t.Error("two failures have one key")
	}
}

func TestBest(t *testing.T) {
	t.Parallel()
	all := []Known{
		{Num: 1, Review: Unreviewed},
		{Num: 2, Review: Unreviewed, Decided: 1, Helped: 1},
		{Num: 3, Review: Promoted},
		{Num: 4, Review: Dropped, Decided: 9, Helped: 9},
		{Num: 5, Review: Unreviewed, Decided: 5, Helped: 1},
		{Num: 6, Review: Promoted, Decided: 2, Helped: 2},
		{Num: 7, Review: Promoted},
	}
	for i := range all {
		all[i].Sources = from(OutcomeAccepted)
	}
	if got := nums(Best(all, false)); !slices.Equal(got, []int64{6, 2, 7}) {
		t.Errorf("%v", got)
	}
	if got := nums(Best(all, true)); !slices.Equal(got, []int64{6, 7, 3}) {
		t.Errorf("reviewed: %v", got)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	all := known(append(extracted(fixed(), left), extracted(stuck(), left)...)...)
	all[0].Review = Dropped
	for text, want := range map[string][]int64{
		"":                        {6, 5, 4, 3, 2, 1},
		"UNDEFINED clock":         {3},
		"aaaa0001":                {6, 5, 1},
		"ralph-stuck":             {6, 5},
		"error_fix internal/auth": {3, 2, 1},
		"no such thing":           nil,
	} {
		if got := nums(Search(all, text)); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestByHand(t *testing.T) {
	t.Parallel()
	p, err := NewNote(NoteInput{Text: "  Never mock\nthe clock.\x1b[2J ", By: "ann", Paths: []string{"internal/**/*.go"}}, at(1))
	if err != nil || p.Kind != Note || p.Summary != "Never mock the clock." || !slices.Equal(p.Languages, []string{".go"}) {
		t.Errorf("%+v, %v", p, err)
	}
	for want, w := range map[string]NoteInput{
		"empty":            {Text: " \n"},
		"at most":          {Text: strings.Repeat("x", mostText+1)},
		"8 hex":            {Text: "x", Fingerprint: "xyz"},
		"one of":           {Text: "x", Kind: "rumour"},
		"not a valid glob": {Text: "x", Paths: []string{"a["}},
		"11 paths":         {Text: "x", Paths: slices.Repeat([]string{"a"}, 11)},
		"path \"\" is":     {Text: "x", Paths: []string{""}},
	} {
		if _, err := NewNote(w, time.Time{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	if _, err := NewNote(NoteInput{Text: strings.Repeat("x", mostText)}, at(1)); err != nil {
		t.Error(err)
	}
}
