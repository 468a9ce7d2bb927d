package ballot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAsks: a person is told what is to be decided, by whom, each thing once.
func TestAsks(t *testing.T) {
	t.Parallel()
	vote := func(who string, w Word, reason string, a Advice) Vote {
		return Vote{Reviewer: who, Stance: "gaps", Vote: w, Reason: reason, Recommendation: a}
	}
	for name, tt := range map[string]struct {
		votes []Vote
		want  []string
	}{
		"all say the same":      {[]Vote{vote("a", Approve, "REST or gRPC?", NeedsHumanInput), vote("b", Approve, "REST or gRPC?", NeedsHumanInput), vote("c", Approve, "TLS?", NeedsHumanInput)}, []string{"REST or gRPC? (a/gaps, b/gaps)", "TLS? (c/gaps)"}},
		"one is content":        {[]Vote{vote("a", Approve, "REST or gRPC?", NeedsHumanInput), vote("b", Reject, "which?", NeedsHumanInput), vote("c", Approve, "good", Archive)}, []string{"REST or gRPC? (a/gaps)", "which? (b/gaps)"}},
		"too few want a person": {[]Vote{vote("a", Approve, "REST or gRPC?", NeedsHumanInput), vote("b", Approve, "good", Archive), vote("c", Approve, "good", Archive)}, nil},
		"nobody answered":       {[]Vote{vote("a", Late, "timeout", ""), vote("b", Late, "timeout", ""), vote("c", Late, "timeout", "")}, []string{}},
		"no reason":             {[]Vote{vote("a", Approve, "", NeedsHumanInput), vote("b", Approve, "", NeedsHumanInput), vote("c", Approve, "", NeedsHumanInput)}, []string{}},
	} {
		if d := cmp.Diff(tt.want, Count(Magi, Rule{}, tt.votes).Asks()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	long := Count(Magi, Rule{}, []Vote{vote("a", Approve, strings.Repeat("ü", 2*mostAsked), NeedsHumanInput)}).Asks()
	if len(long) != 1 || len(long[0]) > mostAsked+20 {
		t.Errorf("%d bytes", len(long[0]))
	}
}
