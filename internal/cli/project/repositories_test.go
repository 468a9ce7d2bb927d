package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ralph/internal/cli/command"
	"ralph/internal/git"
)

// TestRemembered: ralph serve --all supervises what ran in the background; the lists
// show what ran anywhere.
func TestRemembered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := &Opener{Terminal: command.Terminal{Streams: command.Streams{Env: []string{"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "HOME=" + dir}}}}
	at := func(name string) *Project {
		root := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(root, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		return At(git.Location{MainRoot: root, CommonDir: filepath.Join(root, ".git")})
	}
	shown, both, removed := at("shown"), at("both"), at("removed")
	a.NoteForeground(shown)
	a.NoteForeground(both)
	a.NoteRepository(both)
	a.NoteForeground(both)
	a.NoteRepository(removed)
	demo := *a
	demo.Unlisted = true
	demo.NoteRepository(at("demo"))
	if err := os.RemoveAll(removed.Place.CommonDir); err != nil {
		t.Fatal(err)
	}
	for background, want := range map[bool][]string{true: {both.Root()}, false: {both.Root(), shown.Root()}} {
		got, err := a.Remembered(background)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("background %v: %q, %v; want %q", background, got, err, want)
		}
	}
}
