package control

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/testing/tier"
)

type echo struct{}

func (echo) Handle(_ context.Context, r Request) Response {
	return Response{Exit: 3, Stdout: []byte(strings.Join(r.Argv, " ")), Stderr: r.Stdin}
}

func (echo) Stream(_ context.Context, r Request, in io.Reader, out StreamWriter) (Response, bool) {
	if r.Argv[0] != "mcp" {
		return Response{Exit: 64}, false
	}
	_ = out.Begin()
	_, _ = io.Copy(out, in)
	return Response{}, true
}

func listen(t *testing.T) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "ctl") //nolint:usetesting // names of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	d, err := Listen(t.Context(), []string{strings.Repeat("x", 200), dir}, echo{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func TestDo(t *testing.T) {
	t.Parallel()
	d := listen(t)
	a, err := Do(t.Context(), d.Address(), Request{Argv: []string{"loop", "list"}, Stdin: []byte{0, 255}})
	if err != nil || a.Exit != 3 || string(a.Stdout) != "loop list" || string(a.Stderr) != "\x00\xff" {
		t.Errorf("%+v, %v", a, err)
	}
	if info, err := os.Stat(d.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	d := listen(t)
	var out strings.Builder
	if _, err := Stream(t.Context(), d.Address(), Request{Argv: []string{"mcp"}}, strings.NewReader("a\nb\n"), &out); err != nil || out.String() != "a\nb\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if a, err := Stream(t.Context(), d.Address(), Request{Argv: []string{"run"}}, strings.NewReader(""), io.Discard); err != nil || a.Exit != 64 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Malformed requests are refused, and the server continues.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	d := listen(t)
	for name, text := range map[string]string{
		"nothing": "", "torn": `{"schema":"ralph.call/v1","argv":["loop"]`, "not JSON": "x\n", "another schema": `{"schema":"x","argv":["loop"]}` + "\n",
		"no argv": `{"schema":"ralph.call/v1"}` + "\n", "huge": strings.Repeat("x", maxRequest+2) + "\n",
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
				t.Errorf("response: %s", reply)
			}
		})
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	d := listen(t)
	d.Close()
	if _, err := os.Lstat(d.Path()); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, err := Do(t.Context(), d.Address(), Request{Argv: []string{"loop"}}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// A process that finds the socket of another run cannot use it.
func TestKey(t *testing.T) {
	t.Parallel()
	d, other := listen(t), listen(t)
	for _, address := range []string{d.Path(), d.Path() + "#", d.Path() + "#" + other.key, d.Address() + "x"} {
		a, err := Do(t.Context(), address, Request{Argv: []string{"ask", "forged?"}})
		if err != nil || a.Exit != 64 || !strings.Contains(string(a.Stderr), "another run") {
			t.Errorf("%s: %+v, %v", address, a, err)
		}
		if a, _ := Stream(t.Context(), address, Request{Argv: []string{"mcp"}}, strings.NewReader(""), io.Discard); a.Stream || a.Exit != 64 {
			t.Errorf("%s: a stream began: %+v", address, a)
		}
	}
	if d.key == other.key || len(d.key) < 20 {
		t.Errorf("keys %q and %q", d.key, other.key)
	}
}

// The socket of a killed ralph is removed with its folder, and one at which a process
// answers stays; so does a folder whose socket is still to come.
func TestSweep(t *testing.T) {
	t.Parallel()
	d := listen(t)
	folder := filepath.Dir(d.dir)
	dead, soon := filepath.Join(folder, prefix+"dead"), filepath.Join(folder, prefix+"soon")
	if err := errors.Join(os.Mkdir(dead, 0o700), os.Mkdir(soon, 0o700), os.Symlink(dead, filepath.Join(folder, prefix+"link"))); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dead, socketName), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false) // as after a kill
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ago := time.Now().Add(-time.Minute)
	for _, dir := range []string{dead, soon, d.dir} {
		if err := os.Chtimes(dir, ago, ago); err != nil {
			t.Fatal(err)
		}
	}
	for _, dry := range []bool{true, false} {
		if got := Sweep(t.Context(), []string{folder, folder}, dry); !slices.Equal(got, []string{dead}) {
			t.Errorf("dry %t: %q", dry, got)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 3 {
		t.Errorf("%v", left)
	}
}

// A socket at which a process answers stays, however old; a folder without one is removed
// after a day.
func TestRemoveStale(t *testing.T) {
	t.Parallel()
	d := listen(t)
	folder := filepath.Dir(d.dir)
	for _, name := range []string{prefix + "dead", oldPrefix + "dead", prefix + "new"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	day := time.Now().Add(25 * time.Hour)
	if err := os.Chtimes(filepath.Join(folder, prefix+"new"), day, day); err != nil {
		t.Fatal(err)
	}
	removeStale(t.Context(), folder, day)
	for _, name := range []string{prefix + "new", filepath.Base(d.dir)} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("%v", left)
	}
}
