package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// seat is a person at a terminal: a program behind it, and a screen that shows
// what the program draws.
type seat struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	near *os.File // the person's end
	vt   vt10x.Terminal
	// before is the terminal's state before the program began.
	before *unix.Termios

	mu    sync.Mutex
	raw   bytes.Buffer
	ended chan struct{}
}

// sit starts a program behind a terminal of w×h.
func sit(t *testing.T, at place, w, h int, args ...string) *seat {
	t.Helper()
	near, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &seat{t: t, tty: tty, near: near, vt: vt10x.New(vt10x.WithSize(w, h)), ended: make(chan struct{})}
	s.resize(w, h)
	s.before = s.modes()
	s.cmd = at.command(args...)
	s.cmd.Env = append(s.cmd.Env, "TERM=xterm-256color", "NO_COLOR=")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.cmd.Wait(); close(s.ended) }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.ended
		_ = near.Close()
		_ = tty.Close()
	})
	return s
}

// looks begins to show what is drawn. Before it, a terminal takes little.
func (s *seat) looks() *seat {
	go func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := s.near.Read(buf)
			s.mu.Lock()
			s.raw.Write(buf[:n])
			_, _ = s.vt.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *seat) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.vt.String()
}

func (s *seat) drawn() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// sees waits until all of the words stand on the screen at once.
func (s *seat) sees(words ...string) *seat {
	s.t.Helper()
	s.until(strings.Join(words, " and "), func() bool {
		text := s.screen()
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	})
	return s
}

// until looks at the screen again and again: a program tells nobody when it has
// drawn the last of it.
func (s *seat) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: not within %s\n%s", what, patience, s.screen())
		}
	}
}

// types presses keys; names of keys are the bytes that terminals send.
func (s *seat) types(keys ...string) *seat {
	s.t.Helper()
	for _, k := range keys {
		if _, err := s.near.WriteString(k); err != nil {
			s.t.Fatal(err)
		}
	}
	return s
}

const (
	enter = "\r"
	esc   = "\x1b"
	ctrlC = "\x03"
	ctrlZ = "\x1a"
)

func (s *seat) resize(w, h int) {
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	s.vt.Resize(w, h)
	s.mu.Unlock()
}

func (s *seat) modes() *unix.Termios {
	s.t.Helper()
	m, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// leaves waits for the end of the program and compares its exit code; the
// terminal is as it was before.
func (s *seat) leaves(code int) {
	s.t.Helper()
	s.until("the end of the program", func() bool {
		select {
		case <-s.ended:
			return true
		default:
			return false
		}
	})
	if got := s.cmd.ProcessState.ExitCode(); got != code {
		s.t.Errorf("exit code %d, want %d (%s)\n%s", got, code, s.cmd.ProcessState, s.screen())
	}
	s.restored()
}

func (s *seat) restored() {
	s.t.Helper()
	if now := s.modes(); *now != *s.before {
		s.t.Errorf("the terminal was left in another mode: %+v, before %+v", now, s.before)
	}
}

// left says that the program went back to the screen that was there before, and
// shows the cursor.
func (s *seat) left() {
	s.t.Helper()
	for what, c := range map[string][2]string{"the other screen": {"\x1b[?1049h", "\x1b[?1049l"}, "the cursor": {"\x1b[?25l", "\x1b[?25h"}, "pasting": {"\x1b[?2004h", "\x1b[?2004l"}} {
		s.until(what+" is given back", func() bool {
			text := s.drawn()
			return strings.LastIndex(text, c[1]) > strings.LastIndex(text, c[0])
		})
	}
}

// place is a repository with a person of its own.
type place struct {
	t    *testing.T
	dir  string
	vars []string
}

// somewhere makes a place with files that are committed.
func somewhere(t *testing.T, files map[string]string) place {
	t.Helper()
	work := t.TempDir()
	env := &testscript.Env{WorkDir: work, Vars: []string{"PATH=" + os.Getenv("PATH")}}
	if err := home(env); err != nil {
		t.Fatal(err)
	}
	p := place{t, filepath.Join(work, "repo"), env.Vars}
	for name, text := range files {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "base"}} {
		if out, err := p.command(append([]string{"git"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return p
}

func (p place) command(args ...string) *exec.Cmd {
	p.t.Helper()
	path, err := exec.LookPath(args[0])
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Args[0], cmd.Dir, cmd.Env = args[0], p.dir, append([]string(nil), p.vars...)
	return cmd
}

// ralph runs a command to its end and returns what it printed.
func (p place) ralph(code int, args ...string) string {
	p.t.Helper()
	cmd := p.command(append([]string{"ralph"}, args...)...)
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	err := cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != code {
		p.t.Fatalf("ralph %v: exit code %d, want %d (%v)\n%s%s", args, got, code, err, out.String(), words.String())
	}
	return out.String()
}

// left waits until no process works in the repository any more: its folder can
// only then be removed. The kernel tells of other people's children only to who
// looks.
func (p place) left() {
	none := 0
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		// One that ends may have begun another meanwhile, which the list does not have.
		if none++; p.busy() {
			none = 0
		}
		if none == 3 {
			return
		}
	}
	p.t.Errorf("somebody still works in %s", p.dir)
}

// busy reports whether a process works in the place, or was told to.
func (p place) busy() bool {
	base := filepath.Dir(p.dir)
	there, _ := filepath.Glob("/proc/[0-9]*")
	return slices.ContainsFunc(there, func(process string) bool {
		dir, err := os.Readlink(process + "/cwd")
		told, _ := os.ReadFile(process + "/cmdline")
		return err == nil && (dir == base || strings.HasPrefix(dir, base+"/") || strings.Contains(string(told), base+"/"))
	})
}

// file makes a file of the person's home; agents wait for such.
func (p place) file(name string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(p.dir), name), nil, 0o600); err != nil {
		p.t.Fatal(err)
	}
}
