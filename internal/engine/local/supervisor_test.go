//go:build linux

package local_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"ralph/internal/agent"
	"ralph/internal/agent/script"
	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/store"
	"ralph/internal/store/limits"
)

const supervisorWord = "__supervise"

// order is what a supervisor process is told, as a JSON file.
type order struct {
	// Home is the directory of everything; see world.
	Home string
	Verb string // start, resume, takeover, send, accept
	Spec loop.Spec
	// Acts names what happens at the n-th point of the whole test: kill, stop
	// or fill. Points are counted over all processes of a test.
	Acts  map[int]string
	Sends []send
	// Each names a point at which every process is killed, once the first
	// attempt has begun.
	Each string
	// Command is what the verb send sends.
	Command engine.Command
	// Every is the work between two checkpoints, From the one to go on from.
	Every time.Duration
	From  int
	// Boot is the machine's present run, as the store is told; "" is the real one.
	Boot string
	// Name tells the points of several loops of one world apart.
	Name string
	// Max is how many loops may run at once; 0 is 4.
	Max int
	// Recovery: no person resumes.
	Recovery bool
	// limits is the memory of usage limits, in this process; nil is none.
	limits *limits.Book
	// clock is the engine's, in this process; nil is the real one.
	clock func() time.Time
	// at is called at points of this process.
	at map[string]func()
}

// send is a command that reaches the loop right after an event.
type send struct {
	On      string // an event's name
	Attempt int
	Command engine.Command
}

// answer is what a supervisor process says when it ends by itself.
type answer struct {
	Status  loop.Status
	Err     string
	Fenced  bool
	Ended   bool
	NoSpace bool
}

func (o order) points() string { return filepath.Join(o.Home, "points"+o.Name) }

// supervise is a process that drives one loop, as `ralph run` does.
func supervise(file string) int {
	var o order
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	state, err := o.run(context.Background())
	a := answer{Status: state.Status, Fenced: errors.Is(err, engine.ErrFenced), Ended: errors.Is(err, engine.ErrEnded), NoSpace: errors.Is(err, engine.ErrNoSpace)}
	if err != nil {
		a.Err = err.Error()
	}
	data, _ = json.Marshal(a)
	if err := os.WriteFile(file+".answer", data, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (o order) run(ctx context.Context) (loop.State, error) {
	e, closed, err := o.wire(ctx)
	if err != nil {
		return loop.State{}, err
	}
	defer closed()
	d := engine.Drive{Watch: func(u engine.Update) { o.watch(ctx, e, u) }}
	switch o.Verb {
	case "start":
		return e.Start(ctx, o.Spec, engine.Options{Max: cmp.Or(o.Max, 4)}, d)
	case "send":
		return e.Send(ctx, o.Spec.ID, o.Command)
	case "accept":
		_, err := e.Accept(ctx, o.Spec.ID, engine.AcceptOptions{})
		return loop.State{}, err
	case "takeover":
		return e.Resume(ctx, o.Spec.ID, engine.Options{TakeOver: true, Recovery: o.Recovery}, d)
	}
	return e.Resume(ctx, o.Spec.ID, engine.Options{From: o.From, Recovery: o.Recovery}, d)
}

// watch sends what is to be sent after this event.
func (o order) watch(ctx context.Context, e engine.Loops, u engine.Update) {
	if u.Event == nil {
		return
	}
	for _, s := range o.Sends {
		if s.On == u.Event.Name() && s.Attempt == u.After.Iteration {
			if _, err := e.Send(ctx, u.After.ID, s.Command); err != nil {
				fmt.Fprintln(os.Stderr, "send:", err)
			}
		}
	}
}

// fault is called at every point. It counts them in a file, where the next
// process goes on counting.
func (o order) fault(point string) {
	f, err := os.OpenFile(o.points(), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	before, err := os.ReadFile(o.points())
	if err == nil {
		_, err = f.WriteString(point + "\n")
	}
	f.Close()
	n := bytes.Count(before, []byte("\n")) + 1
	if err != nil {
		panic(err)
	}
	o.act(o.Acts[n])
	if f := o.at[point]; f != nil {
		f()
	}
	if point == o.Each && bytes.Contains(before, []byte("attempt_began")) {
		o.act("kill")
	}
}

// act does something terrible, now or, as in "kill+3ms", soon.
func (o order) act(what string) {
	what, later, soon := strings.Cut(what, "+")
	if soon {
		delay, err := time.ParseDuration(later)
		if err != nil {
			panic(err)
		}
		go func() {
			time.Sleep(delay) // the kill is to come at a moment that nothing announces
			o.act(what)
		}()
		return
	}
	switch what {
	case "kill":
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
		select {}
	case "shim":
		killAll(shims(o.Spec.ID))
	case "both": // at once, or the supervisor would still see its shim die
		killAll(append(shims(o.Spec.ID), os.Getpid()))
		select {}
	case "stop":
		// The signal may stop other threads first: this one goes nowhere.
		woken := make(chan os.Signal, 1)
		signal.Notify(woken, unix.SIGCONT)
		_ = unix.Kill(os.Getpid(), unix.SIGSTOP)
		<-woken
		signal.Stop(woken)
	case "fill":
		fill(filepath.Join(o.Home, "disk"))
	}
}

func killAll(pids []int) {
	for _, pid := range pids {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// shims waits for a shim of the loop: a process that tells nobody of its birth,
// so it is looked for.
func shims(id string) (pids []int) {
	for range 300 {
		if pids = shimsNow(id); len(pids) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return pids
}

// shimsNow are those that there are.
func shimsNow(id string) (pids []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if bytes.HasPrefix(args, []byte("ralph\x00__shim\x00"+id)) {
			pid, _ := strconv.Atoi(filepath.Base(dir))
			pids = append(pids, pid)
		}
	}
	return pids
}

// wire puts the real parts together as internal/cli does.
func wire(ctx context.Context, home string, fault func(string)) (*local.Engine, func(), error) {
	return order{Home: home}.wired(ctx, fault)
}

func (o order) wire(ctx context.Context) (*local.Engine, func(), error) { return o.wired(ctx, o.fault) }

func (o order) wired(ctx context.Context, fault func(string)) (*local.Engine, func(), error) {
	w := world{o.Home}
	repo, err := git.OpenEnv(ctx, w.repo(), environment())
	if err != nil {
		return nil, nil, err
	}
	memory := filepath.Join(repo.CommonDir, "ralph")
	s, err := store.Open(ctx, memory, store.Options{Views: filepath.Join(repo.MainRoot, ".ralph"), Owner: "crashtest", Boot: o.Boot})
	if err != nil {
		return nil, nil, err
	}
	hands := func(dir string) *worker.Worker {
		return &worker.Worker{
			Repo: repo, Drivers: map[string]agent.Driver{"script": script.Driver{}}, TreeRoot: w.trees(),
			StateFile: filepath.Join(repo.MainRoot, ".ralph", "loops", filepath.Base(dir), "state.md"),
			Env:       environment(), Grace: 200 * time.Millisecond, Now: time.Now,
		}
	}
	discard := func(ctx context.Context, path string) error { return repo.DiscardWorktree(ctx, w.trees(), path) }
	e := local.New(s, hands, local.Options{
		Now: o.clock, Limits: o.limits, Owner: "crashtest", Fault: fault, Discard: discard, OnlyCommit: repo.OnlyCommit, CheckpointEvery: o.Every, Checkpoints: worker.CheckpointRefs{Repo: repo},
	})
	return e, func() { _ = s.Close() }, nil
}

// environment is that of the test, without what would lead git elsewhere.
func environment() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "RALPH_") {
			env = append(env, kv)
		}
	}
	return append(env, "GIT_CONFIG_NOSYSTEM=1")
}
