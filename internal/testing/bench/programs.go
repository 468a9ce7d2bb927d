package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralph/internal/proc"
)

// durable is the floor of a check: it reads a state, runs a program, appends the
// result to a journal and replaces the state, each with a wait for the disk.
const durable = `package main

import (
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	dir := os.Args[1]
	state, journal := filepath.Join(dir, "prototype.json"), filepath.Join(dir, "prototype.log")
	_, _ = os.ReadFile(state)
	if err := exec.Command("true").Run(); err != nil {
		panic(err)
	}
	put(journal, os.O_APPEND)
	put(state+".new", os.O_TRUNC)
	if err := os.Rename(state+".new", state); err != nil {
		panic(err)
	}
}

func put(file string, how int) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|how, 0o600)
	if err != nil {
		panic(err)
	}
	if _, err := f.Write(make([]byte, 2000)); err != nil {
		panic(err)
	}
	if err := f.Sync(); err != nil {
		panic(err)
	}
	f.Close()
}
`

const helloWorld = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"

// build makes ralph and the programs that are floors, with the flags of `make build`.
func (b *bench) build(ctx context.Context) (err error) {
	if b.self, err = proc.Self(); err != nil {
		return err
	}
	b.say("build")
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	bin := filepath.Join(b.dir, "bin")
	b.ralph, b.hello, b.prototype = filepath.Join(bin, "ralph"), filepath.Join(bin, "hello"), filepath.Join(bin, "prototype")
	if err := goBuild(ctx, here, b.ralph, "ralph/cmd/ralph"); err != nil {
		return err
	}
	for out, text := range map[string]string{b.hello: helloWorld, b.prototype: durable} {
		src := filepath.Join(b.dir, "src", filepath.Base(out))
		err := errors.Join(write(filepath.Join(src, "main.go"), text), write(filepath.Join(src, "go.mod"), "module floor\n\ngo 1.26\n"))
		if err == nil {
			err = goBuild(ctx, src, out, ".")
		}
		if err != nil {
			return err
		}
	}
	return nil
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
