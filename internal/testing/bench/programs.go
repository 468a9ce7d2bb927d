package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralph/internal/proc"
)

const helloWorld = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"

// build makes ralph and the hello world, with the flags of `make build`.
func (b *bench) build(ctx context.Context) (err error) {
	if b.self, err = proc.Self(); err != nil {
		return err
	}
	b.ralph, b.hello = filepath.Join(b.dir, "bin", "ralph"), filepath.Join(b.dir, "bin", "hello")
	src := filepath.Join(b.dir, "hello")
	if err := write(filepath.Join(src, "main.go"), helloWorld); err != nil {
		return err
	}
	if err := write(filepath.Join(src, "go.mod"), "module hello\n\ngo 1.26\n"); err != nil {
		return err
	}
	b.say("build")
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := goBuild(ctx, here, b.ralph, "ralph/cmd/ralph"); err != nil {
		return err
	}
	return goBuild(ctx, src, b.hello, ".")
}

func goBuild(ctx context.Context, dir, out, pkg string) error {
	c := proc.Command{
		Argv: []string{"go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, pkg},
		Dir:  dir, Env: append(os.Environ(), "CGO_ENABLED=0"),
	}
	_, err := must(ctx, c)
	return err
}

// must runs a command that must exit with 0.
func must(ctx context.Context, c proc.Command) (proc.Output, error) {
	out, err := proc.Run(ctx, c)
	if err == nil && out.Code != 0 {
		err = fmt.Errorf("run %q in %s: exit %d: %s%s", c.Argv, c.Dir, out.Code, tail(out.Stdout), tail(out.Stderr))
	}
	return out, err
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }

// env returns the environment of ralph, git and all other measured programs: an
// empty home, and worktrees below the given state folder.
func (b *bench) env(state string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "RALPH_TRUST=1", "HOME=" + filepath.Join(b.dir, "home"), "XDG_STATE_HOME=" + state,
		"GIT_CONFIG_NOSYSTEM=1", "TERM=dumb", "USER=bench", "LC_ALL=C.UTF-8",
		"GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@localhost", "GIT_COMMITTER_NAME=bench", "GIT_COMMITTER_EMAIL=bench@localhost",
	}
}

// state is the usual folder for worktrees.
func (b *bench) state() string { return filepath.Join(b.dir, "state") }

// timed runs a command and returns its time in milliseconds. Its exit code must
// be 0 or one of those allowed.
func timed(ctx context.Context, c proc.Command, allowed ...int) (float64, error) {
	began := time.Now()
	out, err := proc.Run(ctx, c)
	took := ms(time.Since(began))
	if err != nil {
		return 0, err
	}
	if out.Code == 0 || slices.Contains(allowed, out.Code) {
		return took, nil
	}
	return 0, fmt.Errorf("run %q: exit %d: %s%s", c.Argv, out.Code, tail(out.Stdout), tail(out.Stderr))
}

// timing returns a side that runs a command.
func timing(c proc.Command) side {
	return func(ctx context.Context) (float64, error) { return timed(ctx, c) }
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
