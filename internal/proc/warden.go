//go:build linux || darwin

package proc

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// warden is the shim's mind: it starts the child and brings it and its
// descendants to an end.
type warden struct {
	mission mission
	rec     exitRecord
	first   int     // the process that was started: the child, or what holds it
	child   int     // its pid, or that of what holds it; 0 once it has ended
	group   int     // its process group, which keeps its number
	inmate  *inmate // nil without a sandbox
	begun   time.Time

	urgency int
	ladder  []rung
	timer   *time.Timer
	missed  unix.Signal       // a polite signal that found no child yet; 0 for none
	ended   map[identity]bool // descendants that had to be ended
	giveUp  time.Time         // of the sweep; zero before it
}

func newWarden(m mission) *warden {
	w := &warden{mission: m, timer: time.NewTimer(time.Hour), ended: map[identity]bool{}}
	w.timer.Stop()
	w.rec = exitRecord{Schema: exitSchema, Run: m.Run, Ended: byItself}
	return w
}

// start starts the child and says whether there is one now.
func (w *warden) start() bool {
	w.begun = time.Now()
	w.rec.StartedAt = w.begun
	pid, err := w.exec()
	if err != nil {
		w.rec.CannotStart, w.rec.Reason = true, err.Error()
		return false
	}
	w.child, w.group, w.first = pid, pid, pid
	return true
}

func (w *warden) exec() (int, error) {
	dir, argv, env := string(w.mission.Dir), toStrings(w.mission.Argv), toStrings(w.mission.Env)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return 0, fmt.Errorf("directory %s: not there", dir)
	}
	if len(w.mission.Wrapper) > 0 || w.mission.Walls != nil {
		return w.enter(argv, env, dir)
	}
	path, err := lookIn(env, argv[0])
	if err != nil {
		return 0, err
	}
	pid, err := forkExec(path, argv, env, dir)
	if err != nil {
		return 0, fmt.Errorf("execute %s: %w", path, err)
	}
	return pid, nil
}

// guard returns when no descendant is left, or none that can be ended.
func (w *warden) guard(orders <-chan order, terms <-chan os.Signal, deaths <-chan death) {
	for {
		select {
		case said, ok := <-w.words():
			w.hear(said, ok)
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
			w.mourn(d)
		case <-w.timer.C:
			if w.climb() {
				return
			}
		}
	}
}

// obey begins the escalation of an order, unless one as urgent is under way.
func (w *warden) obey(o order) {
	if o.urgency() <= w.urgency || w.child == 0 && o != orderKill {
		return // what a child left behind is being ended already
	}
	if w.urgency == 0 && w.child != 0 {
		w.rec.Ended = o.ending()
	}
	w.urgency = o.urgency()
	w.escalate(rungs(o, w.mission))
}

// words are those of the cell; nil without one.
func (w *warden) words() <-chan word {
	if w.inmate == nil {
		return nil
	}
	return w.inmate.words
}

// mourn notes the death of the process that this one started.
func (w *warden) mourn(d death) {
	switch {
	case d.pid == 0:
	case w.inmate != nil && d.pid == w.first:
		w.mournInmate(d)
	case w.inmate == nil && d.pid == w.child:
		w.bury(d)
	}
}

// bury notes the end of the child; what it left has a short time to follow.
func (w *warden) bury(d death) {
	w.rec.Duration = time.Since(w.begun)
	w.rec.Code, w.rec.Signal = verdict(d.status)
	w.child = 0
	if !w.giveUp.IsZero() {
		return // the sweep is on
	}
	last := []rung{{unix.SIGTERM, leftoverGrace}, {unix.SIGKILL, 0}}
	if w.urgency == 0 {
		last = append([]rung{{0, settleTime}}, last...)
	}
	w.escalate(last)
}

// verdict is the exit code, or the name of the signal and no code.
func verdict(s unix.WaitStatus) (*int, string) {
	if s.Exited() {
		code := s.ExitStatus()
		return &code, ""
	}
	if name := unix.SignalName(s.Signal()); name != "" {
		return nil, name
	}
	return nil, fmt.Sprintf("signal %d", s.Signal())
}

// report writes exit.json. It reaches the disk only when the supervisor is
// gone: while that lives, it journals the exit itself.
func (w *warden) report() error {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &u) == nil {
		w.rec.MaxRSS = int64(u.Maxrss) * rssUnit
		w.rec.UserTime = time.Duration(u.Utime.Nano())
		w.rec.SystemTime = time.Duration(u.Stime.Nano())
	}
	w.rec.Leftovers = max(0, len(w.ended)-w.rec.Survivors)
	return writeRecord(string(w.mission.RunDir), exitFile, w.rec, abandoned())
}
