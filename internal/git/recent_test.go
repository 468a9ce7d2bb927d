package git

import (
	"fmt"
	"testing"
)

func TestRecent(t *testing.T) {
	t.Parallel()
	var k recent[int]
	if _, ok := k.get("0"); ok {
		t.Error("an answer before there is one")
	}
	for i := range mostRecent + 1 {
		k.put(fmt.Sprint(i), i)
		k.put(fmt.Sprint(i), i)
	}
	for i := range mostRecent + 1 {
		if v, ok := k.get(fmt.Sprint(i)); ok != (i > 0) || ok && v != i {
			t.Errorf("%d: %d, %v", i, v, ok)
		}
	}
}

// TestAnswersAreKept: what git said about a pack is not asked twice, and nobody who
// changes an answer changes the next one.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.dir, "c.txt", "new\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "next")
	head := f.git("rev-parse", "HEAD")
	f.git("gc", "-q", "--prune=now")
	f.Repo = f.open(f.dir)
	for n := range 2 {
		files, err := f.ListTree(t.Context(), head)
		if err != nil || len(files) != 4 {
			t.Fatal(files, err)
		}
		changes, err := f.ChangedFiles(t.Context(), f.base, head)
		if err != nil || len(changes) != 1 || changes[0] != (Change{"A", "c.txt"}) {
			t.Fatal(changes, err)
		}
		files[0], changes[0] = File{}, Change{}
		text, cut, err := f.Diff(t.Context(), f.base, head, 0)
		if err != nil || cut || len(text) == 0 {
			t.Fatalf("%q %v %v", text, cut, err)
		}
		if short, cut, err := f.Diff(t.Context(), f.base, head, 5); len(short) != 5 || !cut || err != nil {
			t.Errorf("%d: %q %v %v", n, short, cut, err)
		}
		text[0] = 'x'
		f.program = "/nonexistent" // the second time nothing is asked
	}
	if _, err := f.ListTree(t.Context(), f.base); err == nil {
		t.Error("git was not asked")
	}
}
