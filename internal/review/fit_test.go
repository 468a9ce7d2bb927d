package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFit: files that fill the page do not push a small one out of it, and what is not
// shown in full is named.
func TestFit(t *testing.T) {
	t.Parallel()
	var s Subject
	add := func(name string, size int) {
		s.Diff += fmt.Sprintf("diff --git a/%[1]s b/%[1]s\n--- a/%[1]s\n+++ b/%[1]s\n%s\n", name, "+"+strings.Repeat("x", size))
		s.Files = append(s.Files, name)
	}
	for n := range 60 {
		add(fmt.Sprintf("aaa%02d.py", n), 400)
	}
	add("large.py", 9000)
	add("tax.py", 30)
	if diff, unshown := s.fit(len(s.Diff)); diff != s.Diff || unshown != nil {
		t.Error("a diff that fits is cut")
	}
	for most, want := range map[int]int{len(s.Diff) - 1: 1, 30_000: 1, 10_000: 61} {
		diff, unshown := s.fit(most)
		if !strings.Contains(diff, "+++ b/tax.py\n+"+strings.Repeat("x", 30)) || len(diff) > most+62*50 {
			t.Errorf("%d: %d bytes\n%s", most, len(diff), diff[max(0, len(diff)-300):])
		}
		if len(unshown) != want || slices.Contains(unshown, "tax.py") || !slices.Contains(unshown, "large.py") {
			t.Errorf("%d: not shown: %q", most, unshown)
		}
	}
	s.DiffCut, s.Files = true, append(s.Files, "zzz.py")
	if _, unshown := s.fit(1 << 20); cmp.Diff([]string{"tax.py", "zzz.py"}, unshown) != "" {
		t.Errorf("cut already: %q", unshown)
	}
}
