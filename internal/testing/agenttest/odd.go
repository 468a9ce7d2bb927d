package agenttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// odd: a field with another type than in the tested versions costs that field
// only, never the line: the result, the tokens and the cost are still read.
func odd(t *testing.T, k Subject) {
	if len(k.Odd) == 0 {
		t.Fatal("the kit has no odd lines")
	}
	plain, strange := k.stage(t, k.good()...), k.stage(t, append(k.good()[:3], Out(k.Odd...))...)
	want, got := k.run(t, plain), k.run(t, strange)
	wants(t, got, loop.EndDone, "")
	if d := cmp.Diff(want.Usage, got.Usage); d != "" {
		t.Errorf("used (-plain +odd):\n%s", d)
	}
	if got.Words != want.Words || got.UnknownLines != 0 {
		t.Errorf("it said %q, want %q; %d unknown lines", got.Words, want.Words, got.UnknownLines)
	}
	if a, b := plain.Kinds()[agent.Denied], strange.Kinds()[agent.Denied]; a != b {
		t.Errorf("%d denials, want %d", b, a)
	}
}
