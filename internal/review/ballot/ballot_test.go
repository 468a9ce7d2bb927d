package ballot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// votes of a short word: a approves, r rejects, s abstains, u is unavailable, m
// malformed, l late, t tampered, f a fallback that approves, g one that rejects.
func votes(short string) (out []Vote) {
	words := map[rune]Word{'a': Approve, 'r': Reject, 's': Abstain, 'u': Unavailable, 'm': Malformed, 'l': Late, 't': Tampered, 'f': Approve, 'g': Reject}
	for i, c := range short {
		out = append(out, Vote{Reviewer: fmt.Sprint("v", i+1), Vote: words[c], Reason: "because", Recommendation: Continue, Fallback: c == 'f' || c == 'g'})
	}
	return out
}

func TestCouncil(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		votes string
		rule  Rule
		want  Decision
	}{
		{"aaa", Rule{}, Approved},
		{"aar", Rule{}, Approved},
		{"aas", Rule{}, Approved},
		{"arr", Rule{}, Rejected},
		{"rrr", Rule{}, Rejected},
		{"srr", Rule{}, Rejected},
		// Seed 002's original left these pending, and pending passed.
		{"ars", Rule{}, Undecided},
		{"ass", Rule{}, Undecided},
		{"rss", Rule{}, Undecided},
		{"sss", Rule{}, Undecided},
		{"uuu", Rule{}, Undecided},
		{"mmm", Rule{}, Undecided},
		// Who has not voted approves nothing and holds no quorum.
		{"auu", Rule{}, Undecided},
		{"aum", Rule{}, Undecided},
		{"aau", Rule{}, Approved},
		{"aat", Rule{}, Approved},
		{"aul", Rule{}, Undecided},
		{"aau", Rule{Quorum: 3}, Undecided},
		{"aas", Rule{Quorum: 3}, Approved},
		{"rru", Rule{Quorum: 3}, Undecided},
		{"aaa", Rule{Unanimous: true}, Approved},
		{"aar", Rule{Unanimous: true}, Rejected},
		{"aas", Rule{Unanimous: true}, Undecided},
		{"aau", Rule{Unanimous: true}, Undecided},
		{"aaarr", Rule{Need: 4}, Rejected},
		{"aaars", Rule{Need: 4}, Undecided},
		{"aaaar", Rule{Need: 4}, Approved},
		{"arr", Rule{Need: 1}, Approved},
		// Even numbers: a tie is none.
		{"aarr", Rule{}, Undecided},
		{"aaar", Rule{}, Approved},
		{"a", Rule{}, Approved},
		{"r", Rule{}, Rejected},
		{"s", Rule{}, Undecided},
		{"", Rule{}, Undecided},
		// Somebody stood in: those who answered must agree.
		{"uuuf", Rule{}, Approved},
		{"auuf", Rule{}, Approved},
		{"ruuf", Rule{}, Rejected},
		{"auug", Rule{}, Rejected},
	} {
		o := Count(Council, tt.rule, votes(tt.votes))
		if o.Decision != tt.want {
			t.Errorf("%s %+v: %s, want %s", tt.votes, tt.rule, o.Decision, tt.want)
		}
		if o.Passed() != (tt.want == Approved) || (tt.want == Undecided) != (o.Recommendation == NeedsHumanInput) {
			t.Errorf("%s: %+v", tt.votes, o)
		}
	}
}

// One answer decides spec and quality; those who could not be had do not.
func TestOneReviewer(t *testing.T) {
	t.Parallel()
	for short, want := range map[string]Decision{"a": Approved, "ua": Approved, "mtr": Rejected, "us": Undecided, "u": Undecided, "m": Undecided} {
		if o := Count(Spec, Rule{}, votes(short)); o.Decision != want || o.Degraded != (len(short) > 1 || want == Undecided) {
			t.Errorf("%s: %s, degraded %v", short, o.Decision, o.Degraded)
		}
	}
}

func TestMagiAdvice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		votes  string
		advice [3]Advice
		gaps   []string
		want   Advice
	}{
		"all archive":               {"aaa", [3]Advice{Archive, Archive, Archive}, nil, Archive},
		"all archive with a gap":    {"aaa", [3]Advice{Archive, Archive, Archive}, []string{"x"}, Continue},
		"one goes on":               {"aaa", [3]Advice{Archive, Archive, Continue}, nil, Continue},
		"rejected and archive":      {"rrr", [3]Advice{Archive, Archive, Archive}, nil, Continue},
		"two of three ask a person": {"aaa", [3]Advice{NeedsHumanInput, NeedsHumanInput, Archive}, nil, NeedsHumanInput},
		"one of three asks":         {"aaa", [3]Advice{NeedsHumanInput, Continue, Continue}, nil, Continue},
		"nothing is decided":        {"ars", [3]Advice{Archive, Archive, Archive}, nil, NeedsHumanInput},
	} {
		all := votes(tt.votes)
		for i := range all {
			all[i].Recommendation = tt.advice[i]
		}
		all[0].Gaps = tt.gaps
		if got := Count(Magi, Rule{}, all).Recommendation; got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	all := votes("aaru")
	all[0].Gaps, all[1].Gaps, all[3].Gaps = []string{"No tests."}, []string{"no  tests", "no docs"}, []string{"never heard"}
	all[0].Resolved, all[1].Resolved, all[2].Resolved = []string{"G1", "G1", "G2"}, []string{"G1"}, []string{"G3"}
	o := Count(Magi, Rule{}, all)
	if d := cmp.Diff([]string{"No tests.", "no docs"}, o.Gaps); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"G1"}, o.Resolved); d != "" {
		t.Error(d)
	}
	if !strings.Contains(o.Reason, "magi undecided: 2 approve, 1 reject, 1 without a verdict (v3: because; v4: because)") {
		t.Error(o.Reason)
	}
}

// What a decision lacks is said: who has not voted, and whether the author's own
// agent has stood in.
func TestDegraded(t *testing.T) {
	t.Parallel()
	for short, want := range map[string]string{
		"aam":  "council approved: 2 approve, 1 without a verdict; degraded: 1 of 3 without a vote (v3: malformed)",
		"ala":  "council approved: 2 approve, 1 without a verdict; degraded: 1 of 3 without a vote (v2: late)",
		"rrt":  "council rejected: 2 reject, 1 without a verdict (v1: because; v2: because); degraded: 1 of 3 without a vote (v3: tampered)",
		"uuuf": "council approved: 1 approve, 3 without a verdict; degraded: 3 of 3 without a vote (v1: unavailable, v2: unavailable, v3: unavailable); the author's own agent has stood in (v4)",
		"aaa":  "council approved: 3 approve",
	} {
		o := Count(Council, Rule{}, votes(short))
		if o.Reason != want || o.Degraded != strings.Contains(want, "degraded") {
			t.Errorf("%s: %q, degraded %v", short, o.Reason, o.Degraded)
		}
	}
}

// Nobody is ever taken to approve who did not say so.
func TestApprovalsAreSaid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		short := rapid.StringOfN(rapid.RuneFrom([]rune("arsumltfg")), 0, 9, -1).Draw(t, "votes")
		rule := Rule{
			Unanimous: rapid.Bool().Draw(t, "unanimous"), Need: rapid.IntRange(0, 5).Draw(t, "need"), Quorum: rapid.IntRange(0, 5).Draw(t, "quorum"),
		}
		for _, kind := range []Kind{Spec, Quality, Council, Magi} {
			o := Count(kind, rule, votes(short))
			said := strings.Count(short, "a") + strings.Count(short, "f")
			if o.Passed() && said == 0 {
				t.Fatalf("%s of %q is approved by nobody", kind, short)
			}
			if o.Approvals != said || o.Approvals+o.Rejections+o.Abstentions+o.Missing != len(short) {
				t.Fatalf("%+v", o)
			}
			// One more approval never turns an approval into something else.
			if o.Passed() && rule.Need == 0 && !Count(kind, rule, votes(short+"a")).Passed() {
				t.Fatalf("%s of %q: one more approval undoes it", kind, short)
			}
		}
	})
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule  Rule
		seats int
		ok    bool
	}{
		{Rule{}, 0, false},
		{Rule{}, 1, true},
		{Rule{Need: 3}, 3, true},
		{Rule{Need: 4}, 3, false},
		{Rule{Need: -1}, 3, false},
		{Rule{Quorum: 3}, 3, true},
		{Rule{Quorum: 4}, 3, false},
		{Rule{Unanimous: true, Need: 2}, 3, false},
	} {
		if err := tt.rule.Validate(tt.seats); (err == nil) != tt.ok {
			t.Errorf("%+v of %d: %v", tt.rule, tt.seats, err)
		}
	}
}
