//go:build unix

package store

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ralph/internal/loop"
)

// The test binary is also the other processes: with childEnv set it plays one of
// the roles, with the rest of the command line as arguments.
const childEnv = "RALPH_STORE_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(childEnv); role != "" {
		if err := roles()[role](context.Background(), os.Args[1:]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func roles() map[string]func(context.Context, []string) error {
	return map[string]func(context.Context, []string) error{
		"steps":   stepsRole,
		"reserve": reserveRole, "review": reviewRole,
		"forever": foreverRole,
		"publish": publishRole,
		"admit":   admitRole,
		"hold":    holdRole,
		"plans":   plansRole,
		"locker":  lockerRole,
		"full":    fullRole,
	}
}

// child is another process of ours.
type child struct {
	t   testing.TB
	p   *os.Process
	in  *os.File
	out *bufio.Reader
	all bytes.Buffer
}

// spawn starts a child that plays a role. It is killed when the test ends.
func spawn(t testing.TB, role string, args ...string) *child {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	inR, inW, err := os.Pipe()
	must(t, err)
	outR, outW, err := os.Pipe()
	must(t, err)
	p, err := os.StartProcess(exe, append([]string{exe}, args...), &os.ProcAttr{
		Env:   append(os.Environ(), childEnv+"="+role),
		Files: []*os.File{inR, outW, os.Stderr},
	})
	must(t, err)
	inR.Close()
	outW.Close()
	c := &child{t: t, p: p, in: inW}
	c.out = bufio.NewReader(io.TeeReader(outR, &c.all))
	t.Cleanup(func() {
		_ = p.Kill()
		_, _ = p.Wait()
		inW.Close()
		outR.Close()
	})
	return c
}

// line waits for the child's next line.
func (c *child) line() string {
	c.t.Helper()
	s, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("child said %q, then: %v", c.all.String(), err)
	}
	return strings.TrimSpace(s)
}

func (c *child) want(line string) {
	c.t.Helper()
	if got := c.line(); got != line {
		c.t.Fatalf("child said %q, want %q", got, line)
	}
}

func (c *child) say(line string) {
	c.t.Helper()
	_, err := fmt.Fprintln(c.in, line)
	must(c.t, err)
}

// kill is kill -9.
func (c *child) kill() {
	c.t.Helper()
	must(c.t, c.p.Kill())
	_, err := c.p.Wait()
	must(c.t, err)
}

// end waits for an orderly end.
func (c *child) end() string {
	c.t.Helper()
	rest, err := io.ReadAll(c.out)
	must(c.t, err)
	st, err := c.p.Wait()
	must(c.t, err)
	if !st.Success() {
		c.t.Fatalf("child: %v; it said %q", st, c.all.String())
	}
	return string(rest)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func clock() time.Time { return time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC) }

func openTest(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, o)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// fresh is a store in a directory of its own, without views.
func fresh(t testing.TB) (*Store, string) {
	t.Helper()
	dir := t.TempDir() + "/ralph"
	return openTest(t, dir, Options{Owner: "test"}), dir
}

func newState(id string) loop.State {
	return loop.New(loop.Spec{
		ID: id, Task: loop.Task{ID: "task", Text: "do " + id},
		Agent: loop.Agent{Name: "scripted", Use: "script"},
		Gates: []loop.Gate{
			{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "true"},
		},
		Limits: loop.DefaultLimits(), Root: "/r", Base: "b0", Branch: "ralph/" + id,
	}, clock())
}

func create(t testing.TB, s *Store, id string) *LoopLease {
	t.Helper()
	l, err := s.Create(t.Context(), newState(id), Admission{})
	must(t, err)
	t.Cleanup(func() { must(t, l.Release(context.Background())) })
	return l
}

// tick is a transition that changes as little as a real one: a new iteration.
func tick(ctx context.Context, l *LoopLease) error {
	st := l.State()
	st.Iteration++
	st.Status = loop.Running
	defer l.s.finishViews()
	return l.Commit(ctx, st, []loop.Event{loop.Ticked{Stamp: loop.Stamp{At: clock()}}})
}

func endWith(ctx context.Context, l *LoopLease, status loop.Status, reason loop.Reason) error {
	st := l.State()
	st.Status, st.Reason, st.Step, st.EndedAt = status, reason, loop.StepDone, clock()
	return l.Commit(ctx, st, []loop.Event{loop.Tidied{Stamp: loop.Stamp{At: clock()}}})
}
