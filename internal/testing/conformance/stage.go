package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/testing/modelserver"
	"ralph/internal/view"
)

// stage is the place of one case: a home, a repository, a model.
type stage struct {
	client client
	trial  trial
	// program is ralph; slow is the factor by which the machine is slower than
	// usual.
	program string
	slow    float64
	// newest: the program may be newer than its driver.
	newest bool
	dir    string
	home   string
	repo   string
	mark   string
	server *modelserver.Server
	env    []string
	// cut is the loop's status after a process was killed, session its session.
	cut, session string
	// noLoop: the case makes no loop in its repository. alone is the report of
	// a driver that ran without ralph, proved the result of a trial.
	noLoop bool
	alone  loop.Outcome
	proved bool
}

// loopID is the id of every case's loop.
const loopID = "it"

func (b *bench) stage(ctx context.Context, c client, t trial) (*stage, error) {
	dir, err := os.MkdirTemp(b.dir, c.name+"-"+t.name+"-")
	if err != nil {
		return nil, err
	}
	s := &stage{client: c, trial: t, program: b.ralph, slow: b.slow, newest: b.newest, dir: dir, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "repo")}
	s.mark = "CONFORM_CASE=" + filepath.Base(dir)
	if s.server, err = modelserver.Start(t.scene(c)); err != nil {
		return nil, err
	}
	s.env = append([]string{
		"PATH=" + strings.Join([]string{filepath.Dir(b.ralph), c.bin(b.cache), os.Getenv("PATH")}, string(os.PathListSeparator)),
		"RALPH_TRUST=1", "HOME=" + s.home, "XDG_STATE_HOME=" + filepath.Join(dir, "state"), "TMPDIR=" + filepath.Join(dir, "tmp"),
		"TERM=dumb", "USER=conform", "LC_ALL=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", s.mark,
		"GIT_AUTHOR_NAME=it", "GIT_AUTHOR_EMAIL=it@localhost", "GIT_COMMITTER_NAME=it", "GIT_COMMITTER_EMAIL=it@localhost",
	}, t.environment(c, s.server.URL)...)
	return s, s.furnish(ctx)
}

func (s *stage) furnish(ctx context.Context) error {
	files := map[string]string{
		"repo/readme": "a repository\n", "repo/check.sh": "grep -qx right file\n", "tmp/.keep": "", "home/.keep": "",
		"repo/ralph.yaml": s.settings(),
	}
	if s.client.files != nil {
		for name, text := range s.client.files(s.server.URL) {
			files["home/"+name] = text
		}
	}
	for name, text := range files {
		if err := write(filepath.Join(s.dir, name), text); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "--all"}, {"commit", "-q", "-m", "base"}} {
		out, err := proc.Run(ctx, proc.Command{Argv: append([]string{"git"}, args...), Dir: s.repo, Env: s.env})
		if err != nil || out.Code != 0 {
			return fmt.Errorf("git %s: %w %s", args[0], err, tail(out.Stderr))
		}
	}
	return nil
}

// settings returns ralph.yaml: one agent, and patience for a test.
func (s *stage) settings() string {
	c := s.client
	agent := map[string]any{"use": c.name, "stall": s.trial.patience(s.slow).String()}
	if c.acp() {
		agent["use"], agent["run"] = "acp", c.run
	}
	if c.model != "" {
		agent["model"] = c.model
	}
	if len(c.args) > 0 {
		agent["args"] = c.args
	}
	all := map[string]any{
		"version": 1, "agents": map[string]any{c.name: agent},
		"limits": map[string]any{"transient_errors": 0, "back_off": "1s", "wait": max(s.trial.wait, time.Second).String(), "max_iterations": max(s.trial.attempts, 1), "implement_timeout": "4m"},
	}
	text, _ := json.MarshalIndent(all, "", "  ") // JSON is YAML
	return string(text) + "\n"
}

// runArgs is the tested command line.
func (s *stage) runArgs() []string {
	return []string{"run", "make file right", "--until", "sh check.sh", "--loop-id", loopID, "--json"}
}

func (s *stage) ralph(ctx context.Context, args ...string) (proc.Output, error) {
	return proc.Run(ctx, proc.Command{Argv: append([]string{s.program}, args...), Dir: s.repo, Env: s.env, MaxOutput: 8 << 20})
}

// object is ralph's record.
func (s *stage) object(ctx context.Context) (view.Object, error) {
	out, err := s.ralph(ctx, "show", loopID, "--json")
	var o view.Object
	if err == nil {
		if err = json.Unmarshal(out.Stdout, &o); err != nil {
			err = fmt.Errorf("ralph show: exit %d: %s%s", out.Code, tail(out.Stdout), tail(out.Stderr))
		}
	}
	return o, err
}

// alive waits until no process of the case runs, and returns those that still
// do.
func (s *stage) alive(patience time.Duration) []process {
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		left := marked(s.mark)
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

func (s *stage) close() { s.server.Close() }

func write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), fs.FileMode(0o644))
}
