package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// cellTime bounds one call of ralph or of another program in a cell.
const cellTime = 3 * time.Minute

// bench holds what all cells share.
type bench struct {
	// dir is the scratch directory; any user can read it.
	dir string
	// ralph is the program under test.
	ralph string
	// deps is a directory with node_modules (jest, vitest), "" without npm.
	deps string
	// path is the PATH of every cell: the tools of this machine without shims.
	path string
	// refuse are codes for which ralph refuses work.
	refuse string
	// help is what `ralph run --help` prints.
	help string
	// namespaces reports whether cells run in PID namespaces.
	namespaces bool
	// disputes reports whether ralph has the command dispute.
	disputes bool
	// caches has a warm home for each language that compiles its standard library.
	caches map[string]string
}

// ordinary is the user of the cells of an ordinary user: nobody.
const ordinary = 65534

// stage is where one cell is played: a home with a repository.
type stage struct {
	*bench
	scenario
	dir, home, repo string
	// user is 0 for the user that runs this command, else a user id.
	user int
	env  []string
}

// newStage makes the home and the repository with its first commit.
func (b *bench) newStage(ctx context.Context, s scenario, user int) (*stage, error) {
	dir, err := os.MkdirTemp(b.dir, s.name+"-")
	if err != nil {
		return nil, err
	}
	st := &stage{bench: b, scenario: s, dir: dir, home: filepath.Join(dir, "home"), user: user}
	st.repo = filepath.Join(st.home, "project")
	st.env = []string{
		"HOME=" + st.home, "PATH=" + filepath.Dir(b.ralph) + ":" + b.path, "LANG=C.UTF-8", "TERM=dumb", "GOTOOLCHAIN=local", "GOPROXY=off",
		"GOTELEMETRY=off", "CARGO_NET_OFFLINE=true", "RALPH_TRUST=1", "NO_COLOR=1", "DEPS=" + b.deps,
	}
	if b.refuse != "" {
		st.env = append(st.env, "RALPH_REFUSE=["+b.refuse+"]")
	}
	if err := st.write(); err != nil {
		return nil, err
	}
	if user != 0 {
		if out, err := exec.CommandContext(ctx, "chown", "-R", fmt.Sprintf("%d:%d", user, user), dir).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("chown: %w: %s", err, out)
		}
	}
	const first = "git init -q -b main . && git add -A && git commit -q -m base"
	if r := st.sh(ctx, first+"; if [ -f ../../prepare.sh ]; then sh ../../prepare.sh; fi"); r.err != nil || r.code != 0 {
		return nil, fmt.Errorf("make the repository: %w: %s", r.err, r.out)
	}
	return st, nil
}

// write lays the files out: those of the repository in it, the scripts beside the home.
func (st *stage) write() error {
	if cache := st.caches[st.text("language")]; cache != "" {
		if out, err := exec.Command("cp", "-a", "--no-preserve=ownership", cache, st.home).CombinedOutput(); err != nil {
			return fmt.Errorf("copy the caches: %w: %s", err, out)
		}
	}
	if err := os.MkdirAll(st.repo, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(st.dir, 0o755); err != nil {
		return err
	}
	identity := "[user]\n\tname = Sam\n\temail = sam@example.test\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
	if err := os.WriteFile(filepath.Join(st.home, ".gitconfig"), []byte(identity), 0o644); err != nil {
		return err
	}
	for name, text := range st.files {
		path := filepath.Join(st.dir, name)
		if rest, ok := strings.CutPrefix(name, "repo/"); ok {
			path = filepath.Join(st.repo, rest)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "@DEPS@", st.deps)), mode); err != nil {
			return err
		}
	}
	return nil
}

// ran is how a program ended.
type ran struct {
	code int
	out  string
	// plain is the standard output alone.
	plain string
	err   error
}

func (st *stage) sh(ctx context.Context, script string) ran {
	return st.run(ctx, st.repo, "sh", "-c", script)
}

// run starts a program as the cell's user, in a PID namespace of its own where that
// is possible, so that what it leaves behind or kills is its own.
func (st *stage) run(ctx context.Context, dir string, argv ...string) ran {
	ctx, cancel := context.WithTimeout(ctx, cellTime)
	defer cancel()
	if st.user != 0 {
		id := strconv.Itoa(st.user)
		argv = append([]string{"setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups", "--"}, argv...)
	}
	if st.namespaces {
		argv = append([]string{"unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--"}, argv...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var text transcript
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, st.env, stdout{&text}, &text
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	r := ran{out: text.all.String(), plain: text.plain.String()}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		r.code = exit.ExitCode()
		return r
	}
	if r.err = err; ctx.Err() != nil {
		r.err = fmt.Errorf("%s: no end after %s", strings.Join(argv, " "), cellTime)
	}
	return r
}

// transcript collects what a program prints, in its order.
type transcript struct {
	mu         sync.Mutex
	all, plain bytes.Buffer
}

// Write takes standard error.
func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all.Write(p)
}

// stdout takes the standard output of a transcript.
type stdout struct{ *transcript }

func (o stdout) Write(p []byte) (int, error) {
	o.mu.Lock()
	o.plain.Write(p)
	o.mu.Unlock()
	return o.transcript.Write(p)
}

// right reports whether the oracle finds the product's behaviour right in a clone of
// the commit, made outside of ralph and of the cell's home.
func (st *stage) right(ctx context.Context, commit string) (bool, string, error) {
	home, err := os.MkdirTemp(st.bench.dir, "oracle-")
	if err != nil {
		return false, "", err
	}
	defer func() { _ = os.RemoveAll(home) }()
	tree := filepath.Join(home, "tree")
	// The process of git that serves the clone reads neither -c nor GIT_CONFIG_COUNT.
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[safe]\n\tdirectory = *\n"), 0o644); err != nil {
		return false, "", err
	}
	clone := fmt.Sprintf("git clone -q --no-checkout %q %q && cd %q && git checkout -q --detach %s && rm -rf .git && find . -type l -lname '/*' -delete", st.repo, tree, tree, commit)
	cmd := exec.CommandContext(ctx, "sh", "-c", clone)
	cmd.Env = []string{"HOME=" + home, "PATH=" + st.path}
	if out, err := cmd.CombinedOutput(); err != nil {
		return false, "", fmt.Errorf("clone %s for the oracle: %w: %s", commit, err, out)
	}
	return st.ask(ctx, home, tree)
}

// ask runs the oracle on a tree. It is believed only if its last line is RIGHT,
// since a product that ends its process would end many an oracle with 0.
func (st *stage) ask(ctx context.Context, home, tree string) (bool, string, error) {
	ctx, cancel := context.WithTimeout(ctx, cellTime)
	defer cancel()
	argv := []string{"sh", filepath.Join(st.dir, "oracle.sh"), tree}
	if st.namespaces {
		argv = append([]string{"unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--"}, argv...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=" + st.path, "LANG=C.UTF-8", "GOTOOLCHAIN=local", "GOPROXY=off", "GOFLAGS=-mod=mod", "GOSUMDB=off", "GOCACHE=" + st.oracleCache(), "CARGO_NET_OFFLINE=true", "DEPS=" + st.deps}
	out, _ := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return false, string(out), nil // a product that hangs is not right
	}
	text := strings.TrimSpace(string(out))
	return text == "RIGHT" || strings.HasSuffix(text, "\nRIGHT"), text, nil
}
