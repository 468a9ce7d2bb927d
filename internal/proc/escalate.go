//go:build linux || darwin

package proc

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// rung is one step of an escalation: a signal to everyone, then a wait.
type rung struct {
	signal unix.Signal // 0 only waits; KILL sweeps
	wait   time.Duration
}

const (
	// settleTime is for descendants that are about to end: the tee at the end
	// of a pipeline outlives its shell by a moment, and by a longer one where the
	// machine has other work. Who leaves nothing waits for none of it.
	settleTime = 500 * time.Millisecond
	// leftoverGrace is between TERM and KILL for what a child left behind.
	leftoverGrace = 500 * time.Millisecond
	// sweepPause is between two rounds of a sweep.
	sweepPause = 5 * time.Millisecond
)

// rungs is the escalation of an order. When the supervisor is gone nobody
// reads what an interrupted child would say.
func rungs(o order, m mission) []rung {
	switch {
	case o == orderKill:
		return []rung{{unix.SIGKILL, 0}}
	case o == orderStop, m.Interrupt && o != orderAbandon:
		return []rung{{unix.SIGINT, m.Grace / 3}, {unix.SIGTERM, m.Grace - m.Grace/3}, {unix.SIGKILL, 0}}
	}
	return []rung{{unix.SIGTERM, m.Grace}, {unix.SIGKILL, 0}}
}

func (w *warden) escalate(ladder []rung) {
	w.ladder = ladder
	w.climb()
}

// climb takes the next rung. It stays on the last one, the sweep, until
// everybody is gone, and says when it is over: nobody is left, or time is up.
func (w *warden) climb() (over bool) {
	if !subreaper && w.child == 0 && w.alone() {
		return true
	}
	step := w.ladder[0]
	if step.signal == unix.SIGKILL {
		return w.sweep()
	}
	w.ladder = w.ladder[1:]
	if step.signal != 0 {
		w.tell(step.signal)
	}
	w.timer.Reset(step.wait)
	return false
}

// tell sends a polite signal to everyone, and CONT so that stopped ones hear
// it. A child that wants INT gets it in its own group alone: one whose tools
// are interrupted along with it has no time to say what it had done.
// What finds no one, because the child is only about to be, is told once it is.
func (w *warden) tell(sig unix.Signal) {
	w.locate()
	w.missed = sig
	for _, p := range w.family() {
		if w.staff(p) {
			continue
		}
		if sig == unix.SIGINT && w.mission.Interrupt && p.Group != w.group {
			continue
		}
		if w.child == 0 {
			w.ended[p.identity] = true
		}
		w.missed = 0
		send(p.identity, sig)
		send(p.identity, unix.SIGCONT)
	}
}

func (w *warden) sweep() (over bool) {
	if w.giveUp.IsZero() {
		w.giveUp = time.Now().Add(sweepTime)
	}
	for _, p := range cull(w.family) {
		if !w.itself(p) {
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

// family is every living descendant.
func (w *warden) family() []process { return descendants(os.Getpid(), w.group) }

// alone says whether nobody is left. Where orphans are adopted, having no
// child to wait for proves it.
func (w *warden) alone() bool { return subreaper || len(w.family()) == 0 }
