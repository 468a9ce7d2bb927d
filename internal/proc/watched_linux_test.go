package proc

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/runnable"
)

// TestRoomWatches: the supervisor learns which of the watched files a child opened in
// its room, also by way of another program, and nothing about those that it only lists.
func TestRoomWatches(t *testing.T) {
	t.Parallel()
	r := bare(t)
	for _, name := range []string{"a.sh", "b.sh", "c.sh", "deep/d.sh", "e.sh"} {
		path := filepath.Join(r.Tree, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := runnable.Write(path, "#!/bin/sh\nexit 0\n"); err != nil {
			t.Fatal(err)
		}
		r.Watch = append(r.Watch, name)
	}
	in := &Sandbox{Room: r}
	if !works(in) {
		t.Skip("this machine cannot build a room")
	}
	run := func() (*Child, Exit) {
		s := spec(t, "sh", "-c", `sh ./a.sh; sh ./a.sh; ./deep/d.sh; ls -l . >/dev/null; test -e b.sh; echo new >c.sh; cat e.sh >/dev/null`)
		s.Sandbox, s.Dir = in, r.Tree
		c := start(t, s)
		return c, wait(t, c)
	}
	c, _ := run()
	got := c.Opened()
	slices.Sort(got)
	if d := cmp.Diff([]string{"a.sh", "c.sh", "deep/d.sh", "e.sh"}, got); d != "" {
		t.Error(d)
	}

	r.Watch = append(r.Watch, "absent.sh")
	if c, e := run(); !e.OK() || c.Opened() != nil {
		t.Errorf("%+v, %v", e, c.Opened())
	}
}
