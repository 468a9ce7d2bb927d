package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnmet(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(home, name) }
	for _, dir := range []string{"cache", "repo/.git", ".ssh"} {
		if err := os.MkdirAll(at(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("repo"), at("elsewhere")); err != nil {
		t.Fatal(err)
	}
	p := Profile{
		Env: []string{"HOME=" + home}, Protected: []string{at("repo")},
		Write: []string{at("cache"), at("gone"), "relative", "/", at("repo/.git"), at("elsewhere"), at(".ssh")},
	}
	want := []Unmet{
		{at("gone"), "it is not there", "change sandbox_write"},
		{"relative", "it is not named from / or ~/ on", "change sandbox_write"},
		{"/", "it is everything", "change sandbox_write"},
		{at("repo/.git"), "it is protected", "change sandbox_write"},
		{at("elsewhere"), "it is protected", "change sandbox_write"},
		{at(".ssh"), "it is protected", "change sandbox_write"},
	}
	if diff := cmp.Diff(want, p.Unmet()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
