package door

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/testing/tier"
)

type echo struct{}

func (echo) Answer(_ context.Context, c Call) Answer {
	return Answer{Exit: 3, Stdout: []byte(strings.Join(c.Argv, " ")), Stderr: c.Stdin}
}

func (echo) Stream(_ context.Context, c Call, in io.Reader, out Out) (Answer, bool) {
	if c.Argv[0] != "mcp" {
		return Answer{Exit: 64}, false
	}
	_ = out.Begin()
	_, _ = io.Copy(out, in)
	return Answer{}, true
}

func open(t *testing.T) *Door {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "door") //nolint:usetesting // names of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	d, err := Open(t.Context(), []string{strings.Repeat("x", 200), dir}, echo{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func TestAsk(t *testing.T) {
	t.Parallel()
	d := open(t)
	a, err := Ask(t.Context(), d.Address(), Call{Argv: []string{"loop", "list"}, Stdin: []byte{0, 255}})
	if err != nil || a.Exit != 3 || string(a.Stdout) != "loop list" || string(a.Stderr) != "\x00\xff" {
		t.Errorf("%+v, %v", a, err)
	}
	if info, err := os.Stat(d.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	d := open(t)
	var out strings.Builder
	if _, err := Join(t.Context(), d.Address(), Call{Argv: []string{"mcp"}}, strings.NewReader("a\nb\n"), &out); err != nil || out.String() != "a\nb\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if a, err := Join(t.Context(), d.Address(), Call{Argv: []string{"run"}}, strings.NewReader(""), io.Discard); err != nil || a.Exit != 64 {
		t.Errorf("%+v, %v", a, err)
	}
}

// What is no call is refused, and the door goes on serving.
func TestHostileCalls(t *testing.T) {
	t.Parallel()
	d := open(t)
	for name, text := range map[string]string{
		"nothing": "", "torn": `{"schema":"ralph.call/v1","argv":["loop"]`, "no JSON": "x\n", "another schema": `{"schema":"x","argv":["loop"]}` + "\n",
		"no words": `{"schema":"ralph.call/v1"}` + "\n", "huge": strings.Repeat("x", MaxCall+2) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("unix", d.Path())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, _ = io.WriteString(c, text)
			_ = c.(*net.UnixConn).CloseWrite()
			_ = c.SetReadDeadline(time.Now().Add(tier.Hang))
			reply, _ := io.ReadAll(c)
			if len(reply) > 0 && !strings.Contains(string(reply), `"exit":64`) {
				t.Errorf("answered %s", reply)
			}
		})
	}
}

func TestGone(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.Close()
	if _, err := os.Lstat(d.Path()); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, err := Ask(t.Context(), d.Address(), Call{Argv: []string{"loop"}}); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
}

// TestKey: who finds the socket of another run has no call on it.
func TestKey(t *testing.T) {
	t.Parallel()
	d, other := open(t), open(t)
	for _, address := range []string{d.Path(), d.Path() + "#", d.Path() + "#" + other.key, d.Address() + "x"} {
		a, err := Ask(t.Context(), address, Call{Argv: []string{"ask", "forged?"}})
		if err != nil || a.Exit != 64 || !strings.Contains(string(a.Stderr), "another run") {
			t.Errorf("%s: %+v, %v", address, a, err)
		}
		if a, _ := Join(t.Context(), address, Call{Argv: []string{"mcp"}}, strings.NewReader(""), io.Discard); a.Stream || a.Exit != 64 {
			t.Errorf("%s: a stream began: %+v", address, a)
		}
	}
	if d.key == other.key || len(d.key) < 20 {
		t.Errorf("keys %q and %q", d.key, other.key)
	}
}

// TestSweep: a door at which somebody answers stays, however old; one that a
// killed ralph has left goes after a day.
func TestSweep(t *testing.T) {
	t.Parallel()
	d := open(t)
	folder := filepath.Dir(d.dir)
	for _, name := range []string{"dead", "new"} {
		if err := os.Mkdir(filepath.Join(folder, prefix+name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	day := time.Now().Add(25 * time.Hour)
	if err := os.Chtimes(filepath.Join(folder, prefix+"new"), day, day); err != nil {
		t.Fatal(err)
	}
	sweep(t.Context(), folder, day)
	for _, name := range []string{prefix + "new", filepath.Base(d.dir)} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("%v", left)
	}
}
