package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHiding: the deeper of two paths decides, links are followed, missing entries
// mean nothing, and neither the home nor what the process needs disappears.
func TestHiding(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".ssh", "else/cloud", ".config/tool/cache", "state/in/it", ".a[b")
	in := func(n string) string { return filepath.Join(home, n) }
	for _, name := range []string{".ssh/id", ".ssh/hosts", ".a_history", ".b_history", "kube1", "kube2"} {
		if err := os.WriteFile(in(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{".aws": "else/cloud", ".up": ".", ".gone": "nowhere"} {
		if err := os.Symlink(to, in(name)); err != nil {
			t.Fatal(err)
		}
	}
	p.Env = append(p.Env, "KUBECONFIG="+in("kube1")+":"+in("kube2")+":relative")
	p.Keep = []string{in(".config/tool"), in("state/in/it")}
	p.Hide = []string{"~/.ssh", "!~/.ssh/hosts", "~/.aws", "~/.up", "~/.gone", "~/missing", "~/.*_history", "$KUBECONFIG", "$UNSET", "~/.config/tool", in("state"), "relative"}
	h := p.hiding()
	want := []string{".ssh", "else/cloud", ".a_history", ".b_history", "kube1", "kube2", "state"}
	for i := range want {
		want[i] = in(want[i])
	}
	if !slices.Equal(h.covered, want) {
		t.Errorf("covered: %q\nwant %q", h.covered, want)
	}
	if kept := []string{in(".ssh/hosts"), in("state/in/it")}; !slices.Equal(h.kept, kept) {
		t.Errorf("kept: %q, want %q", h.kept, kept)
	}
	if got := strings.Join(p.Hidden(), " "); got != "~/.ssh ~/.aws ~/.*_history $KUBECONFIG "+in("state") {
		t.Errorf("shown to people: %s", got)
	}
	c := p.rules()
	for _, path := range h.covered {
		if i := slices.IndexFunc(c, func(x rule) bool { return x.path == path }); i < 0 || !c[i].hidden {
			t.Errorf("%s has no rule that hides it", path)
		}
	}
}

// TestAskedUncoversNothing: what a repository wants to write stays hidden where the list
// hides it, also behind a link; folders of the user's own list are visible.
func TestAskedUncoversNothing(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".ssh", ".aws/sso", "customers/a", "open")
	in := func(n string) string { return filepath.Join(home, n) }
	if err := os.Symlink(in(".ssh"), in("open/link")); err != nil {
		t.Fatal(err)
	}
	p.Hide = []string{"~/.ssh", "~/.aws", "~/customers"}
	p.Write = []string{in("open"), in("open/link"), in(".aws"), in(".aws/sso"), in("customers/a")}
	for _, x := range []struct {
		asked bool
		want  []string
	}{
		{false, []string{in("customers")}},
		{true, []string{in(".ssh"), in(".aws"), in("customers")}},
	} {
		p.Asked = x.asked
		if h := p.hiding(); !slices.Equal(h.covered, x.want) {
			t.Errorf("asked %v: covered %q, want %q", x.asked, h.covered, x.want)
		}
		c := p.rules()
		if !c.writes(in("open")) {
			t.Errorf("asked %v: a folder that is not hidden cannot be written", x.asked)
		}
		for _, path := range []string{in(".aws/sso"), in("customers/a")} {
			if c.writes(path) == x.asked {
				t.Errorf("asked %v: %s can be written: %v", x.asked, path, c.writes(path))
			}
		}
	}
	var named []string
	for _, u := range p.Unwritable() {
		if strings.HasPrefix(u.Why, "it is hidden") {
			named = append(named, u.Path)
		}
	}
	// ~/.ssh, behind the link, is protected in any case.
	if want := []string{in(".aws"), in(".aws/sso"), in("customers/a")}; !slices.Equal(named, want) {
		t.Errorf("named as hidden: %q, want %q", named, want)
	}
}
