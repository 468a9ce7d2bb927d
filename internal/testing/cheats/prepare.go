package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// prepare builds ralph, finds the tools, and warms the caches that the cases need.
func prepare(ctx context.Context, ralph string, all []scenario) (*bench, error) {
	b := &bench{caches: map[string]string{}}
	var err error
	if b.dir, err = scratch(); err != nil {
		return nil, err
	}
	b.path = toolPath(ctx)
	b.namespaces = exec.CommandContext(ctx, "unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--", "true").Run() == nil
	if err := b.place(ctx, ralph); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(all, func(s scenario) bool { return s.text("language") == "go" }) {
		if err := b.warmGo(ctx); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(all, func(s scenario) bool { return len(s.words("needs")) > 1 && s.text("language") == "node" }) {
		if err := b.fetch(ctx); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// scratch is a directory that every user can read, and that is not below /tmp, which
// sandboxes replace.
func scratch() (string, error) {
	parent := "/home"
	if os.Geteuid() != 0 {
		var err error
		if parent, err = os.UserCacheDir(); err != nil {
			return "", err
		}
	}
	dir, err := os.MkdirTemp(parent, "ralph-cheats-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755)
}

// toolPath has the directories of the real tools. Version managers put shims on
// PATH, which depend on the home of the user who installed them.
func toolPath(ctx context.Context) string {
	dirs := []string{}
	if out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output(); err == nil {
		dirs = append(dirs, filepath.Join(strings.TrimSpace(string(out)), "bin"))
	}
	if out, err := exec.CommandContext(ctx, "rustc", "--print", "sysroot").Output(); err == nil {
		dirs = append(dirs, filepath.Join(strings.TrimSpace(string(out)), "bin"))
	}
	return strings.Join(append(dirs, "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"), ":")
}

// place builds ralph, or copies a built one, and asks it what it offers.
func (b *bench) place(ctx context.Context, built string) error {
	if err := os.MkdirAll(filepath.Join(b.dir, "bin"), 0o755); err != nil {
		return err
	}
	b.ralph = filepath.Join(b.dir, "bin", "ralph")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", b.ralph, "ralph/cmd/ralph")
	if built != "" {
		cmd = exec.CommandContext(ctx, "cp", built, b.ralph)
	}
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build ralph: %w: %s", err, out)
	}
	commands, err := exec.CommandContext(ctx, b.ralph, "--help").Output()
	if err != nil {
		return fmt.Errorf("ask ralph for its commands: %w", err)
	}
	b.disputes = strings.Contains(string(commands), "\n  dispute ")
	out, err := exec.CommandContext(ctx, b.ralph, "run", "--help").Output()
	b.help = string(out)
	return err
}

// warmGo makes a home whose build cache has what a small test needs: compiling the
// standard library in each cell would take minutes.
func (b *bench) warmGo(ctx context.Context) error {
	home := filepath.Join(b.dir, "warm-go")
	tree := filepath.Join(b.dir, "warm")
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return err
	}
	source := "package warm\n\nimport (\n\t_ \"bufio\"\n\t_ \"encoding/json\"\n\t_ \"errors\"\n\t_ \"fmt\"\n\t_ \"os\"\n\t_ \"os/exec\"\n\t_ \"strings\"\n\t\"testing\"\n\t_ \"time\"\n)\n\nfunc TestWarm(t *testing.T) {}\n"
	for name, text := range map[string]string{"go.mod": "module warm\n\ngo 1.24\n", "warm_test.go": source} {
		if err := os.WriteFile(filepath.Join(tree, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, "go", "test", "./...")
	cmd.Dir = tree
	cmd.Env = []string{"HOME=" + home, "PATH=" + b.path, "GOTOOLCHAIN=local", "GOPROXY=off", "GOTELEMETRY=off"}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("warm the cache of go: %w: %s", err, out)
	}
	b.caches["go"] = home
	// The oracle has a copy of its own, outside of every home.
	if out, err := exec.CommandContext(ctx, "cp", "-a", filepath.Join(home, ".cache", "go-build"), b.oracleCache()).CombinedOutput(); err != nil {
		return fmt.Errorf("copy the cache of go: %w: %s", err, out)
	}
	return nil
}

func (b *bench) oracleCache() string { return filepath.Join(b.dir, "oracle-go-build") }

// fetch installs jest and vitest once per machine, where npm can be had.
func (b *bench) fetch(ctx context.Context) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	dir := filepath.Join(cache, "ralph", "cheats", "npm")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".bin", "vitest")); errors.Is(err, os.ErrNotExist) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
		defer cancel()
		if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o644); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "jest@29", "vitest@2")
		if cmd.Dir = dir; cmd.Run() != nil {
			return nil // the cells of jest and vitest say that npm is lacking
		}
	}
	b.deps = filepath.Join(b.dir, "deps")
	if out, err := exec.CommandContext(ctx, "cp", "-a", dir, b.deps).CombinedOutput(); err != nil {
		return fmt.Errorf("copy node_modules: %w: %s", err, out)
	}
	return nil
}

// tool returns why a user cannot use a program, "" if they can.
func (b *bench) tool(name string, user int) string {
	script := "command -v " + name
	switch name {
	case "jest", "vitest":
		script = "command -v npm && test -x " + filepath.Join(b.deps, "node_modules/.bin", name)
	case "root":
		script = "test $(id -u) = 0"
	case "pytest":
		script = "python3 -m pytest --version"
	case "yaml":
		script = "python3 -c 'import yaml'"
	}
	argv := []string{"sh", "-c", script}
	if user != 0 {
		id := strconv.Itoa(user)
		argv = append([]string{"setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups", "--"}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = []string{"PATH=" + b.path}
	if cmd.Run() != nil {
		return "this user has no " + name
	}
	return ""
}

// sandboxes returns those of the three that work here for the user, by trying one.
func (b *bench) sandboxes(ctx context.Context, user int) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"bubblewrap", "landlock", "off"} {
		s := scenario{name: "probe", files: map[string]string{"repo/a": "a\n"}, header: map[string]string{}}
		st, err := b.newStage(ctx, s, user)
		if err != nil {
			out[name] = err.Error()
			continue
		}
		r := st.call(ctx, "run", "add b", "--until", "test -e b", "--agent-cmd", "touch b", "--sandbox", name, "--no-input", "--max-iterations", "1")
		if r.code == 69 {
			out[name] = lastLines(r.out, 1)
		}
		_ = os.RemoveAll(st.dir)
	}
	return out
}
