package next

import "testing"

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
