package git

import (
	"slices"
	"testing"
)

func TestVariant(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.dir, "sub/c.txt", "gamma\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "work")
	head := f.git("rev-parse", "HEAD")
	old := f.git("rev-parse", f.base+":a.txt")

	same, err := f.Variant(f.ctx(), head, nil)
	if err != nil || same != head {
		t.Fatalf("no edits: %q, %v", same, err)
	}
	edits := []Edit{
		{Path: "a.txt"},
		{Path: "new/a.txt", Mode: "100755", ID: old},
		{Path: "dir", Mode: "100644", Data: []byte("a file in place of a folder\n")},
		{Path: "sub/c.txt/deep.txt", Mode: "100644", Data: nil},
		{Path: "is not there"},
	}
	v, err := f.Variant(f.ctx(), head, edits)
	if err != nil {
		t.Fatal(err)
	}
	files, err := f.ListTree(f.ctx(), v)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range files {
		got = append(got, file.Mode+" "+file.Path)
	}
	want := []string{"100644 .gitignore", "100644 dir", "100755 new/a.txt", "100644 sub/c.txt/deep.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if again, err := f.Variant(f.ctx(), head, edits); err != nil || again != v {
		t.Errorf("equal edits made %s and %s (%v)", v, again, err)
	}
	if now := f.git("status", "--porcelain"); now != "" || f.git("rev-parse", "HEAD") != head {
		t.Errorf("the user's tree changed: %q", now)
	}
	if _, err := f.Variant(f.ctx(), head, []Edit{{Path: "../out", Mode: "100644", Data: []byte("x")}}); err == nil {
		t.Error("a path out of the tree was taken")
	}
}
