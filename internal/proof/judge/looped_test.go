package judge

import (
	"slices"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/prooftest"
)

// TestLooped: the scripts that a loop over a pattern runs are found in a Makefile, a script and a
// gate's command; those at which it only looks are not.
func TestLooped(t *testing.T) {
	t.Parallel()
	const sub, other = "tests/test_a.sh", "tests/helper.sh"
	for _, c := range []struct {
		gate, file, text string
		found            bool
	}{
		{"make test", "Makefile", "test:\n\t@for t in tests/test_*.sh; do echo \"== $$t\"; sh $$t || exit 1; done\n", true},
		{"make test", "Makefile", "test:\n\tfor t in tests/test_*.sh; do \\\n\t\tsh \"$${t}\" || exit 1; \\\n\tdone\n", true},
		{"make test", "Makefile", "TESTS := $(wildcard tests/test_*.sh)\ntest:\n\tfor t in $(TESTS); do sh $$t || exit 1; done\n", true},
		{"make test", "Makefile", "test:\n\tfor t in $(wildcard tests/test_*.sh); do ./$$t || exit 1; done\n", true},
		{"make test", "Makefile", "test:\n\tfor t in tests/test_*.sh; do sh -n $$t; done\n\tfor t in tests/test_*.sh; do echo $$t; done\n", false},
		{"make test", "Makefile", "test:\n\tfor t in tests/test_*.sh; do chmod +x $$t; wc -l < $$t; done\n", false},
		{"make test", "Makefile", "test:\n\tfor t in tests/other_*.sh; do sh $$t; done\n", false},
		{"make test", "Makefile", "test:\n\ttrue\nlint:\n\tfor t in tests/test_*.sh; do sh $$t; done\n", false},
		{"sh run.sh", "run.sh", "set -e\nfor t in tests/test_*.sh\ndo\n\tbash -eu \"$t\"\ndone\n", true},
		{"sh run.sh", "run.sh", "for t in tests/test_*.sh; do if \"$t\"; then echo ok; else exit 1; fi; done\n", true},
		{"sh run.sh", "run.sh", "for t in tests/test_*.sh; do . ./$t; done\n", true},
		{"sh tools/run.sh", "tools/run.sh", "for t in ../tests/test_*.sh; do sh $t || exit 1; done\n", true},
		{"for t in tests/test_*.sh; do sh $t || exit 1; done", "x.txt", "", true},
	} {
		s := prooftest.Store{}
		got, err := DutiesOf(loop.Gate{Run: c.gate}, s.Add(prooftest.Tree{c.file: c.text, sub: "echo a\n", other: "echo b\n", "lib/text.sh": "upper() { :; }\n"}), s.Read)
		if err != nil || slices.Contains(got.Scripts, sub) != c.found || slices.Contains(got.Scripts, other) {
			t.Errorf("%s with %q runs %v, %v", c.gate, c.text, got.Scripts, err)
		}
	}
}
