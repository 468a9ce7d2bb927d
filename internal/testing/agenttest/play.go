//go:build unix

package agenttest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ralph/internal/proc"
)

// Main runs the tests, or the program that the test binary was started as: the
// shim or a fake program.
func Main(m *testing.M) {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	if path := os.Getenv(sceneVariable); path != "" {
		os.Exit(play(path))
	}
	os.Exit(m.Run())
}

// player runs a fake program.
type player struct {
	dir   string
	scene Scene
}

func play(path string) int {
	text, err := os.ReadFile(path)
	p := player{dir: filepath.Dir(path)}
	if err == nil {
		err = json.Unmarshal(text, &p.scene)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	if slices.Contains(os.Args[1:], "--version") {
		_, _ = io.WriteString(os.Stdout, p.scene.Version+"\n")
		return 0
	}
	if p.scene.Interrupted != nil {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGINT)
		go func() {
			<-asked
			os.Exit(p.do(p.scene.Interrupted))
		}()
	}
	return p.do(p.scene.Steps)
}

func (p player) do(steps []Step) int {
	for _, s := range steps {
		if code, over := p.step(s); over {
			return code
		}
	}
	return 0
}

func (p player) step(s Step) (code int, over bool) {
	if s.Save {
		p.save()
	}
	if s.Leave {
		leave()
	}
	p.print(s)
	switch {
	case s.Deaf:
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
		Forever()
	case s.Hang:
		Forever()
	case s.Signal != 0:
		_ = syscall.Kill(os.Getpid(), syscall.Signal(s.Signal))
		Forever()
	case s.Exit != nil:
		return *s.Exit, true
	}
	return 0, false
}

func (p player) print(s Step) {
	out := strings.ReplaceAll(s.Out, "{{session}}", session(os.Args))
	for n := range max(s.Times, 1) {
		parts := strings.Split(strings.ReplaceAll(out, "{{n}}", strconv.Itoa(n)), "{{hear}}\n")
		for i, part := range parts {
			if i > 0 {
				hear()
			}
			_, _ = io.WriteString(os.Stdout, part)
		}
		_, _ = io.WriteString(os.Stderr, s.Err)
	}
	if s.Long > 0 {
		block := strings.Repeat("long ", 13107)
		for left := s.Long; left > 0; left -= len(block) {
			_, _ = io.WriteString(os.Stdout, block[:min(left, len(block))])
		}
	}
}

// hear reads one line of standard input and leaves the rest.
func hear() {
	for c := []byte{0}; c[0] != '\n'; {
		if _, err := os.Stdin.Read(c); err != nil {
			return
		}
	}
}

// session returns the session that a command line names.
func session(args []string) string {
	for i, a := range args {
		for _, flag := range []string{"--session-id", "--session", "-s", "--resume", "resume"} {
			if value, ok := strings.CutPrefix(a, flag+"="); ok {
				return value
			}
			if a == flag && i+1 < len(args) {
				return args[i+1]
			}
		}
	}
	return ""
}

func (p player) save() {
	in, _ := io.ReadAll(os.Stdin)
	dir, _ := os.Getwd()
	text, _ := json.Marshal(Saved{Stdin: string(in), Args: os.Args[1:], Env: os.Environ(), Dir: dir})
	_ = os.WriteFile(filepath.Join(p.dir, "saved.json"), text, 0o600)
}

// leave starts a process that neither its group nor its parent leads to.
func leave() {
	null, _ := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	child, err := os.StartProcess("/bin/sleep", []string{"sleep", "300"}, &os.ProcAttr{
		Files: []*os.File{null, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err == nil {
		_ = child.Release()
	}
}

// Forever hangs until a signal ends the program. It is not select{}: Go ends a
// program whose goroutines are all blocked.
func Forever() {
	never := make(chan os.Signal, 1)
	signal.Notify(never, syscall.SIGUSR1)
	for range never {
	}
}
