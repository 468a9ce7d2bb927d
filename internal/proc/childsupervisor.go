//go:build linux || darwin

package proc

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// childSupervisor is the core of a shim: it starts the child and ends it and its
// descendants.
type childSupervisor struct {
	request   startRequest
	rec       exitRecord
	first     int             // the process that was started: the child, or its wrapper
	child     int             // its pid, or that of its wrapper; 0 once it has ended
	group     int             // its process group, which keeps its number
	sandboxed *sandboxedChild // nil without a sandbox
	begun     time.Time

	urgency int
	steps   []escalationStep
	timer   *time.Timer
	pending unix.Signal       // a polite signal that found no child yet; 0 for none
	ended   map[identity]bool // descendants that had to be ended
	giveUp  time.Time         // of the sweep; zero before it
}

func newChildSupervisor(m startRequest) *childSupervisor {
	w := &childSupervisor{request: m, timer: time.NewTimer(time.Hour), ended: map[identity]bool{}}
	w.timer.Stop()
	w.rec = exitRecord{Schema: exitSchema, Run: m.Run, Ended: byItself}
	return w
}

// start starts the child and reports whether there is one now.
func (w *childSupervisor) start() bool {
	w.begun = time.Now()
	w.rec.StartedAt = w.begun
	pid, err := w.exec()
	if err != nil {
		w.rec.CannotStart, w.rec.Reason, w.rec.Lack = true, err.Error(), forkLacks(err)
		return false
	}
	w.child, w.group, w.first = pid, pid, pid
	return true
}

func (w *childSupervisor) exec() (int, error) {
	dir, argv, env := string(w.request.Dir), toStrings(w.request.Argv), toStrings(w.request.Env)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return 0, fmt.Errorf("directory %s: no such directory", dir)
	}
	if len(w.request.Wrapper) > 0 || w.request.Landlock != nil || w.request.Room != "" {
		return w.startSandboxed(argv, env, dir)
	}
	path, err := findIn(env, argv[0])
	if err != nil {
		return 0, err
	}
	pid, err := forkExec(path, argv, env, dir)
	if err != nil {
		return 0, fmt.Errorf("execute %s: %w", path, err)
	}
	return pid, nil
}

// run returns when no descendant is left, or none that can be ended.
func (w *childSupervisor) run(orders <-chan order, terms <-chan os.Signal, deaths <-chan death) {
	for {
		select {
		case said, ok := <-w.reports():
			w.handleReport(said, ok)
		case o, ok := <-orders:
			if !ok {
				o, orders = orderAbandon, nil
			}
			w.obey(o)
		case <-terms:
			w.obey(orderAbandon)
		case d, ok := <-deaths:
			if !ok && w.alone() {
				return
			}
			if !ok {
				deaths = nil // only where orphans are not adopted
			}
			w.reaped(d)
		case <-w.timer.C:
			if w.nextStep() {
				return
			}
		}
	}
}

// obey begins the escalation of an order, unless one as urgent is under way.
func (w *childSupervisor) obey(o order) {
	if o.urgency() <= w.urgency || w.child == 0 && o != orderKill {
		return // what a child left behind is being ended already
	}
	if w.urgency == 0 && w.child != 0 {
		w.rec.Ended = o.ending()
	}
	w.urgency = o.urgency()
	w.escalate(escalation(o, w.request))
}

// reports returns those of the sandbox init; nil without one.
func (w *childSupervisor) reports() <-chan initReport {
	if w.sandboxed == nil {
		return nil
	}
	return w.sandboxed.reports
}

// reaped handles the death of the process that this one started.
func (w *childSupervisor) reaped(d death) {
	switch {
	case d.pid == 0:
	case w.sandboxed != nil && d.pid == w.first:
		w.sandboxExited(d)
	case w.sandboxed == nil && d.pid == w.child:
		w.childExited(d)
	}
}

// childExited records the end of the child; its descendants have a short time to
// follow.
func (w *childSupervisor) childExited(d death) {
	w.rec.Duration = time.Since(w.begun)
	w.rec.Code, w.rec.Signal = exitStatus(d.status)
	w.child = 0
	if !w.giveUp.IsZero() {
		return // the sweep is on
	}
	last := []escalationStep{{unix.SIGTERM, leftoverGrace}, {unix.SIGKILL, 0}}
	if w.urgency == 0 {
		last = append([]escalationStep{{0, endingTime}}, last...)
	}
	w.escalate(last)
}

// exitStatus returns the exit code, or the name of the signal and no code.
func exitStatus(s unix.WaitStatus) (*int, string) {
	if s.Exited() {
		code := s.ExitStatus()
		return &code, ""
	}
	if name := unix.SignalName(s.Signal()); name != "" {
		return nil, name
	}
	return nil, fmt.Sprintf("signal %d", s.Signal())
}

// report writes exit.json. It is synced only when the supervisor is gone: a
// living supervisor journals the exit itself.
func (w *childSupervisor) report() error {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &u) == nil {
		w.rec.MaxRSS = int64(u.Maxrss) * rssUnit
		w.rec.UserTime = time.Duration(u.Utime.Nano())
		w.rec.SystemTime = time.Duration(u.Stime.Nano())
	}
	w.rec.Leftovers = max(0, len(w.ended)-w.rec.Survivors)
	return writeRecord(string(w.request.RunDir), exitFile, w.rec, abandoned())
}

// escalationStep is a signal to all descendants, then a wait.
type escalationStep struct {
	signal unix.Signal // 0 only waits; KILL sweeps
	wait   time.Duration
}

const (
	// endingTime is for descendants that are about to end: the tee at the end of
	// a pipeline outlives its shell for a moment, longer on a busy machine. A
	// child that leaves nothing behind does not wait.
	endingTime = 500 * time.Millisecond
	// leftoverGrace passes between TERM and KILL for descendants that the child
	// left behind.
	leftoverGrace = 500 * time.Millisecond
	// sweepPause passes between two rounds of a sweep.
	sweepPause = 5 * time.Millisecond
)

// escalation returns the steps of an order. When the supervisor is gone no
// process reads what an interrupted child would write.
func escalation(o order, m startRequest) []escalationStep {
	switch {
	case o == orderKill:
		return []escalationStep{{unix.SIGKILL, 0}}
	case o == orderStop, m.Interrupt && o != orderAbandon:
		return []escalationStep{{unix.SIGINT, m.Grace / 3}, {unix.SIGTERM, m.Grace - m.Grace/3}, {unix.SIGKILL, 0}}
	}
	return []escalationStep{{unix.SIGTERM, m.Grace}, {unix.SIGKILL, 0}}
}

func (w *childSupervisor) escalate(ladder []escalationStep) {
	w.steps = ladder
	w.nextStep()
}

// nextStep takes the next step. It repeats the last one, the sweep, until no
// process is left or time is up, and reports whether it is over.
func (w *childSupervisor) nextStep() (over bool) {
	if !subreaper && w.child == 0 && w.alone() {
		return true
	}
	step := w.steps[0]
	if step.signal == unix.SIGKILL {
		return w.sweep()
	}
	w.steps = w.steps[1:]
	if step.signal != 0 {
		w.signalAll(step.signal)
	}
	w.timer.Reset(step.wait)
	return false
}

// signalAll sends a polite signal to all descendants, and CONT so that stopped
// ones receive it. A child that wants INT gets it only in its own group: an agent
// whose tools are interrupted with it has no time to report their work. A signal
// that finds no process, because the child is about to start, is sent once it
// has.
func (w *childSupervisor) signalAll(sig unix.Signal) {
	w.locate()
	w.pending = sig
	for _, p := range w.family() {
		if w.isSandbox(p) {
			continue
		}
		if sig == unix.SIGINT && w.request.Interrupt && p.Group != w.group {
			continue
		}
		if w.child == 0 {
			w.ended[p.identity] = true
		}
		w.pending = 0
		send(p.identity, sig)
		send(p.identity, unix.SIGCONT)
	}
}

func (w *childSupervisor) sweep() (over bool) {
	if w.giveUp.IsZero() {
		w.giveUp = time.Now().Add(sweepTime)
	}
	for _, p := range killAll(w.family) {
		if !w.isChild(p) {
			w.ended[p.identity] = true
		}
	}
	w.timer.Reset(sweepPause)
	if time.Now().Before(w.giveUp) {
		return false
	}
	w.rec.Survivors = len(w.family())
	return true
}

// family returns the living descendants.
func (w *childSupervisor) family() []process { return descendants(os.Getpid(), w.group) }

// alone reports whether no descendant is left. Where orphans are adopted, having
// no child to wait for proves it.
func (w *childSupervisor) alone() bool { return subreaper || len(w.family()) == 0 }
