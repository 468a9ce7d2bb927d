package web

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/testing/tier"
	"ralph/internal/web"
)

// commands are those of a fresh repository.
func commands(t *testing.T) *Commands {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "a repo <b>")
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state"), "USER=ann"}
	r := foreground.New(&project.Opener{Terminal: command.Terminal{
		Streams: command.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Dir: root, Env: env}, Now: time.Now,
	}})
	return New(r, func(args ...string) (string, int) { return strings.Join(args, " "), 3 })
}

// TestSource: the repository that the command was called in is shown before anything ran
// in it, under a key that is one element of a path, and nothing is made in it.
func TestSource(t *testing.T) {
	t.Parallel()
	a := commands(t)
	s := newSource(a)
	t.Cleanup(s.all.Close)
	all, err := s.Repositories(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	r := all[0]
	if !regexp.MustCompile(`^[A-Za-z0-9_.-]+$`).MatchString(r.Key()) || strings.HasPrefix(r.Key(), ".") || r.Title() != "a repo <b>" {
		t.Errorf("%q %q", r.Key(), r.Title())
	}
	runs, err := r.Runs(t.Context())
	first, markErr := r.Mark(t.Context())
	second, _ := r.Mark(t.Context())
	if err != nil || markErr != nil || len(runs) != 0 || first != second {
		t.Errorf("%v %v %v, %q then %q", runs, err, markErr, first, second)
	}
	for _, id := range []string{"nothing", "../x", ""} {
		_, loopErr := r.Loop(t.Context(), id)
		_, planErr := r.Plan(t.Context(), id)
		if !errors.Is(loopErr, web.ErrNotFound) || !errors.Is(planErr, web.ErrNotFound) {
			t.Errorf("%q: %v %v", id, loopErr, planErr)
		}
	}
	if settings, err := r.Settings(t.Context()); err != nil || len(settings) == 0 {
		t.Errorf("%d settings, %v", len(settings), err)
	}
	if sum, err := r.Summary(t.Context()); err != nil || sum.Total != 0 || sum.Project != "a repo <b>" {
		t.Errorf("the report: %+v, %v", sum, err)
	}
	if words, err := r.Trust(t.Context()); err != nil || words != "Nothing here needs to be allowed." {
		t.Errorf("trust: %q %v", words, err)
	}
	write(t, filepath.Join(r.Root(), "ralph.yaml"), "version: 1\ngates:\n  unit: {run: make test}\n")
	if words, err := r.Trust(t.Context()); err != nil || !strings.HasPrefix(words, "Not allowed yet: 1 thing ") {
		t.Errorf("what ralph.yaml asks for: %q %v", words, err)
	}
	if got := r.Command(t.Context(), "accept", "--", "x"); got.Code != 3 || !strings.HasPrefix(got.Output, "-C ") || !strings.HasSuffix(got.Output, "a repo <b> accept -- x") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(r.Root(), ".git", "ralph")); err == nil {
		t.Error("looking made a store")
	}
}

// TestListenIsLocal: on loopback only, on both of its addresses, and on another port where
// the usual one is taken, of either address.
func TestListenIsLocal(t *testing.T) {
	t.Parallel()
	ctx := context.WithoutCancel(t.Context())
	for range 2 {
		all, err := onMachine(ctx, 0, 0)
		if err != nil || !strings.HasPrefix(all[0].Addr().String(), "127.0.0.1:") {
			t.Fatalf("%v %v", all, err)
		}
		for _, l := range all[1:] {
			if !strings.HasPrefix(l.Addr().String(), "[::1]:") {
				t.Errorf("listens on %s", l.Addr())
			}
		}
		t.Cleanup(func() {
			for _, l := range all {
				_ = l.Close()
			}
		})
	}
	var config net.ListenConfig
	six, err := config.Listen(ctx, "tcp6", "[::1]:0")
	if err != nil {
		tier.SkipLacking(t, "IPv6 on loopback", err)
	}
	t.Cleanup(func() { _ = six.Close() })
	if all, err := onMachine(ctx, six.Addr().(*net.TCPAddr).Port, 0); err == nil {
		t.Errorf("another program has ::1, and the link would reach it: %v", all)
	}
}

// TestToken: a file that others can read is refused, and the line's end is no part of it.
func TestToken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if token, err := readToken(path); token != "secret" || err != nil {
		t.Errorf("%q %v", token, err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readToken(path); err == nil && runtime.GOOS != "windows" {
		t.Error("a token that others can read is taken")
	}
}

func write(t *testing.T, path, words string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
}
