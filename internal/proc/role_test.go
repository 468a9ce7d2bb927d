//go:build linux || darwin

package proc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"ralph/internal/testing/tier"

	"golang.org/x/sys/unix"
)

// roleArg as first argument makes the test binary play a role. Roles are
// chosen by arguments, since one of them runs with an empty environment.
const roleArg = "__role"

// lifetime bounds every role, so that a failing test leaves nothing for long.
const lifetime = tier.Hang

// ample is a grace that is long enough also on a busy machine.
const ample = 30 * time.Second

func play(role string, args []string) {
	switch role {
	case "runaways":
		runaways(args[0], args[1])
	case "first":
		fmt.Println("up")
		time.Sleep(lifetime)
	case "sleeper":
		register(args[0])
		time.Sleep(lifetime)
	case "stubborn":
		signal.Ignore(unix.SIGTERM, unix.SIGHUP, unix.SIGINT)
		for fd := range 3 {
			unix.Close(fd)
		}
		register(args[0])
		time.Sleep(lifetime)
	case "daemonize":
		spawn(true, os.Environ(), "stubborn", args[0])
		spawn(true, os.Environ(), "stubborn", args[0])
	case "detach":
		spawn(true, os.Environ(), "sleeper", args[0])
	case "hydra":
		hydra(args[0], args[1])
	case "flood":
		flood(args[0])
	case "supervise":
		superviseRole(args[0])
	}
	os.Exit(0)
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// roleArgv returns the command line of a role.
func roleArgv(role string, args ...string) []string {
	return append([]string{self(), roleArg, role}, args...)
}

func spawn(setsid bool, env []string, role string, args ...string) {
	cmd := exec.Command(self(), roleArgv(role, args...)[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// register leaves this process's identity in dir.
func register(dir string) {
	p, err := readProcess(os.Getpid())
	if err != nil {
		os.Exit(1)
	}
	writeRecord(dir, strconv.Itoa(p.PID)+".json", p.identity, false)
}

// registered reads the identities in dir.
func registered(dir string) []identity {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	var ids []identity
	for _, f := range files {
		var id identity
		if readRecord(f, &id) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

const runawayCount = 6

// runaways starts the six kinds of runaway process, prints ready, and then does what mode says.
func runaways(dir, mode string) {
	env := os.Environ()
	spawn(false, env, "sleeper", dir)
	spawn(true, env, "sleeper", dir)
	spawn(false, env, "daemonize", dir) // two
	spawn(false, env, "detach", dir)
	spawn(true, []string{}, "sleeper", dir)
	for len(registered(dir)) < runawayCount {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("ready")
	switch mode {
	case "exit":
		return
	case "kill-shim":
		unix.Kill(os.Getppid(), unix.SIGKILL)
	case "stop-shim":
		unix.Kill(os.Getppid(), unix.SIGSTOP)
	}
	time.Sleep(lifetime)
}

// hydra lives for 5 ms as the last of a chain of sessions.
func hydra(dir, left string) {
	n, _ := strconv.Atoi(left)
	register(dir)
	if n > 0 {
		time.Sleep(5 * time.Millisecond)
		spawn(true, []string{}, "hydra", dir, strconv.Itoa(n-1))
	}
}

func flood(size string) {
	n, _ := strconv.ParseInt(size, 10, 64)
	chunk := bytes.Repeat([]byte{0, 255, 'a', '\n', 0xc3, 0x28, 27, '['}, 8192)
	for n > 0 {
		m, err := os.Stdout.Write(chunk[:min(n, int64(len(chunk)))])
		if err != nil {
			os.Exit(1)
		}
		n -= int64(m)
	}
}

// superviseRole is a supervisor that a test can kill.
func superviseRole(encoded string) {
	var m startRequest
	if err := json.Unmarshal([]byte(encoded), &m); err != nil {
		panic(err)
	}
	s := Spec{
		RunDir: string(m.RunDir), Run: m.Run, Argv: toStrings(m.Argv), Dir: string(m.Dir),
		Env: toStrings(m.Env), Grace: m.Grace, Stdout: os.Stdout,
	}
	c, err := Start(context.Background(), s)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	c.Wait()
	fmt.Println("waited")
	time.Sleep(lifetime)
}

// spec is a run in a directory of the test.
func spec(t testing.TB, argv ...string) Spec {
	t.Helper()
	return Spec{
		RunDir: filepath.Join(t.TempDir(), "run"), Run: "test-" + strconv.FormatInt(time.Now().UnixNano(), 36),
		Argv: argv, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")}, Grace: 300 * time.Millisecond,
	}
}

func start(t testing.TB, s Spec) *Child {
	t.Helper()
	c, err := Start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Kill(); c.Wait() })
	return c
}

func wait(t testing.TB, c *Child) Exit {
	t.Helper()
	e, err := c.Wait()
	if err != nil {
		t.Fatalf("wait: %v (%+v)", err, e)
	}
	return e
}

// waitFor reads lines until one is want, and then keeps reading, so that the
// writer never blocks.
func waitFor(t testing.TB, r io.Reader, want string) {
	t.Helper()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if lines.Text() == want {
			go io.Copy(io.Discard, r)
			return
		}
		t.Log(lines.Text())
	}
	t.Fatalf("output ended before %q", want)
}

func survivors(ids []identity) (n int) {
	for _, id := range ids {
		if id.alive() {
			n++
		}
	}
	return n
}
