//go:build linux || darwin

package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// runBackground is a background of this test binary; its arguments say what to do.
func runBackground(l *Handoff, args []string) {
	switch args[0] {
	case "exit":
		code, _ := strconv.Atoi(args[1])
		os.Exit(code)
	case "kill":
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
		select {}
	case "hold":
		sid, _ := unix.Getsid(0)
		_ = os.WriteFile(args[1]+".half", []byte(fmt.Sprint(os.Getpid(), " ", sid)), 0o600)
		_ = os.Rename(args[1]+".half", args[1])
		for l.Waiting() {
			time.Sleep(time.Millisecond)
		}
		_ = os.WriteFile(args[2], nil, 0o600)
	case "go":
		log, done := args[1], args[2]
		if !l.Waiting() || l.Detached() {
			os.Exit(9)
		}
		fmt.Println("before")
		if err := l.Detach(log); err != nil || !l.Detached() {
			os.Exit(9)
		}
		fmt.Println("after")
		fmt.Fprintln(os.Stderr, "words")
		sid, _ := unix.Getsid(0)
		dir, _ := os.Getwd()
		n, _ := os.Stdin.Read(make([]byte, 1))
		fmt.Printf("leads %v in %s read %d\n", sid == os.Getpid(), dir, n)
		_ = os.WriteFile(done, nil, 0o600)
	}
	os.Exit(0)
}

func TestBackgroundThatRefuses(t *testing.T) {
	t.Parallel()
	for _, code := range []int{0, 1, 64, 75, 255} {
		got, err := Background{Args: []string{"exit", strconv.Itoa(code)}}.Start(t.Context())
		if err != nil || got != (HandoffResult{Code: code}) {
			t.Errorf("code %d: %+v, %v", code, got, err)
		}
	}
	if got, err := (Background{Args: []string{"kill"}}).Start(t.Context()); err != nil || got.Detached || got.Code != -1 {
		t.Errorf("killed: %+v, %v", got, err)
	}
	if _, err := (Background{Args: []string{"exit", "0"}, Dir: "/does/not/exist"}).Start(t.Context()); err == nil {
		t.Error("started in no directory")
	}
}

// A detached background leads a session of its own, reads nothing, writes to
// the log, and has none of our files open; its output before reached us.
func TestBackgroundDetaches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, done := filepath.Join(dir, "log"), filepath.Join(dir, "done")
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Background{Args: []string{"go", log, done}, Out: in, Err: in, Dir: dir}.Start(t.Context())
	in.Close()
	if err != nil || !got.Detached {
		t.Fatalf("%+v, %v", got, err)
	}
	said := make([]byte, 100)
	n, _ := out.Read(said)
	if string(said[:n]) != "before\n" {
		t.Errorf("it said %q", said[:n])
	}
	// The end of the pipe: the background has no copy of it any more.
	if n, err := out.Read(said); n != 0 || err == nil {
		t.Errorf("the pipe is still open: %q, %v", said[:n], err)
	}
	appears(t, done)
	text, err := os.ReadFile(log)
	if want := "after\nwords\nleads true in / read 0\n"; err != nil || string(text) != want {
		t.Errorf("log %q, %v", text, err)
	}
	if fi, err := os.Stat(log); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi, err)
	}
}

// appears waits for a file that another process writes.
func appears(t *testing.T, file string) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("there is no %s", file)
		}
	}
}

// An interrupted starter waits no longer, and the background knows.
func TestStarterInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	begun, over := filepath.Join(dir, "begun"), filepath.Join(dir, "over")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		appears(t, begun)
		cancel(errors.New("enough"))
	}()
	got, err := Background{Args: []string{"hold", begun, over}, OwnSession: true}.Start(ctx)
	if got.Detached || err == nil || err.Error() != "enough" {
		t.Errorf("%+v, %v", got, err)
	}
	told, _ := os.ReadFile(begun)
	if pid, sid, ok := strings.Cut(string(told), " "); !ok || pid != sid {
		t.Errorf("process %s is in session %s", pid, sid)
	}
	appears(t, over)
}

// A user who types the argument has no starter that waits.
func TestHandoffWithoutStarter(t *testing.T) {
	t.Parallel()
	if l, args := AcceptHandoff([]string{"run", backgroundArg}); l != nil || strings.Join(args, " ") != "run "+backgroundArg {
		t.Errorf("%v, %v", l, args)
	}
	if l, args := AcceptHandoff(nil); l != nil || args != nil || l.Detached() {
		t.Errorf("%v, %v", l, args)
	}
}
