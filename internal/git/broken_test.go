package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A ref file without its content, as a power cut leaves it, counts as absent where
// it is ralph's own, and the user's are never touched.
func TestBrokenRefs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	file := func(ref string) string { return filepath.Join(f.CommonDir, filepath.FromSlash(ref)) }
	for content, broken := range map[string]bool{
		"": true, "\x00\x00\x00": true, f.base[:20]: true, "ref:": true,
		f.base: false, f.base + "\n": false, "ref: refs/heads/main\n": false,
	} {
		for _, ref := range []string{"refs/heads/ralph/l1", "refs/heads/wip/ralph-fail-x", "refs/ralph/checkpoints/l1/1"} {
			f.write(f.CommonDir, ref, content)
			if got := slices.Contains(f.BrokenRefs(), ref); got != broken {
				t.Errorf("%s with %q: broken is %v", ref, content, got)
			}
			if got := f.DropBrokenRef(ref); got != broken {
				t.Errorf("%s with %q: dropped is %v", ref, content, got)
			}
			if _, err := os.Stat(file(ref)); (err != nil) != broken {
				t.Errorf("%s with %q: %v", ref, content, err)
			}
			os.Remove(file(ref))
		}
	}
	f.write(f.CommonDir, "refs/heads/mine", "")
	if got := f.BrokenRefs(); len(got) > 0 || f.DropBrokenRef("refs/heads/mine") {
		t.Errorf("a branch of the user's was taken for ralph's: %q", got)
	}
	os.Remove(file("refs/heads/mine"))

	f.write(f.CommonDir, "refs/heads/ralph/l2", "")
	if err := f.StartBranch(f.ctx(), "ralph/l2", f.base); err != nil {
		t.Fatal(err)
	}
	f.write(f.CommonDir, "refs/heads/ralph/l2", "")
	if err := f.UpdateRef(f.ctx(), "refs/heads/ralph/l2", f.base, f.base); err != nil {
		t.Fatal(err)
	}
	if got := f.git("rev-parse", "refs/heads/ralph/l2"); got != f.base {
		t.Errorf("it is at %s", got)
	}
}
