package next

import (
	"testing"

	"ralph/internal/loop"
)

func TestIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ root, command, want string }{
		{"/src/shop", Accept("fix"), "ralph -C /src/shop accept fix"},
		{"/src/my shop", Resume("fix"), "ralph -C '/src/my shop' resume fix"},
		{"/src/shop", merge("ralph/fix"), "git -C /src/shop merge ralph/fix"},
		{"/src/shop", "", ""},
	} {
		if got := In(c.root, c.command); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.command, c.root, got, c.want)
		}
	}
}

// TestAt: a command about a loop that moved names the engine, and the clone where that is
// the engine of one machine.
func TestAt(t *testing.T) {
	t.Parallel()
	server := loop.Home{Engine: "temporal://box:7233/shop"}
	files := loop.Home{Engine: "temporal://box:7233/shop?files=/mnt/r"}
	clone := loop.Home{Engine: loop.LocalEngine, Place: "box:/src/my\nshop", Machine: "1"}
	for _, c := range []struct{ got, want string }{
		{At(server, Resume("fix")), "ralph resume fix --engine temporal://box:7233/shop"},
		{At(files, Show("fix")), "ralph show fix --engine 'temporal://box:7233/shop?files=/mnt/r'"},
		{At(clone, Show("fix")), "ralph show fix --engine local   # in box:/src/my shop"},
		{Move("fix", files), "ralph move fix --to 'temporal://box:7233/shop?files=/mnt/r'"},
		{Move("fix", clone), "ralph move fix --to local   # in box:/src/my shop"},
		{AbandonServer("fix"), "ralph move fix --to local --abandon-server"},
		{AbandonClone("fix", files), "ralph move fix --to 'temporal://box:7233/shop?files=/mnt/r' --abandon-clone"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	left := loop.State{Status: loop.Aborted, Reason: loop.Left, Move: &loop.Move{To: server}}
	left.ID = "fix"
	leaving := loop.State{Status: loop.Paused, Reason: loop.ForMove, Move: &loop.Move{To: server}}
	leaving.ID = "fix"
	if got := Loop(left, Facts{}); got != "ralph show fix --engine temporal://box:7233/shop" {
		t.Errorf("a loop that left: %s", got)
	}
	if got := Loop(leaving, Facts{Crashed: true}); got != "ralph move fix --to temporal://box:7233/shop" {
		t.Errorf("a loop that is leaving: %s", got)
	}
}
