//go:build linux || darwin

package proc

import (
	"fmt"
	"os"
	"time"
)

// inmate is a child that lives in a sandbox. With a wrapper the processes are
//
//	shim ── keeper (bwrap) ── cell (first process inside) ── child ── …
//
// and the shim, which stands outside, sees all of them. Polite signals are not
// for keeper and cell: a keeper that follows a TERM takes the whole sandbox
// with it, and the child has no time to end. How the child ended is told by the
// cell; the keeper's exit code cannot tell exit 137 from SIGKILL.
//
// With walls the cell becomes the child, and only its first words are needed.
type inmate struct {
	words <-chan word
	// keeper is 0 where the child has no namespace of its own.
	keeper int
	// cell and child as the shim sees them, once the cell told that it began;
	// inner is the child's pid in its own namespace.
	cell, child, inner int

	started bool
	trouble string
}

// enter starts the child of a mission inside.
func (w *warden) enter(argv, env []string, dir string) (int, error) {
	far, near, err := os.Pipe()
	if err != nil {
		return 0, fmt.Errorf("open the sandbox's words: %w", err)
	}
	defer near.Close()
	self, err := os.Open(selfPath())
	if err != nil {
		return 0, fmt.Errorf("open this program for the sandbox: %w", err)
	}
	defer self.Close()
	path, words := selfPath(), cellWords("ralph", w.mission.Walls)
	if wrapper := toStrings(w.mission.Wrapper); len(wrapper) > 0 {
		// Inside, this program may have no path, but it has this descriptor.
		path = wrapper[0]
		words = append(wrapper, cellWords("/proc/self/fd/4", nil)...)
	}
	pid, err := forkExec(path, append(words, argv...), env, dir, near.Fd(), self.Fd())
	if err != nil {
		return 0, fmt.Errorf("execute %s: %w", path, err)
	}
	w.inmate = &inmate{words: readWords(far)}
	if len(w.mission.Wrapper) > 0 {
		w.inmate.keeper = pid
	}
	return pid, nil
}

// hear takes one word of the cell; ok is false at their end.
func (w *warden) hear(said word, ok bool) {
	in := w.inmate
	switch {
	case !ok:
		in.words = nil
	case said.Error != "":
		in.trouble = said.Error
	case said.Started:
		in.started, in.inner = true, said.PID
		if w.locate(); w.missed != 0 {
			w.tell(w.missed)
		}
	case said.Ended && w.child != 0:
		w.bury(death{pid: w.child, status: waitStatus(said.Status)})
	}
}

// locate recognises the cell and the child among the descendants, and learns
// the child's group. The child may run, and write, before the cell's word that
// it began is heard: until then a child of the cell is taken for it, and after
// it the one that has the pid of that word, inside.
func (w *warden) locate() {
	in := w.inmate
	if in == nil || in.keeper == 0 || in.child != 0 {
		return
	}
	w.group = 0
	all := w.family()
	for _, p := range all {
		if p.Parent == in.keeper {
			in.cell = p.PID
		}
	}
	for _, p := range all {
		switch {
		case in.cell == 0 || p.Parent != in.cell:
		case !in.started && w.group == 0:
			w.group = p.Group
		case in.started && innerPID(p.PID) == in.inner:
			in.child, w.group = p.PID, p.Group
		}
	}
}

// last hears what a cell said before it died. Whoever held the other end is
// gone, or is about to be.
func (w *warden) last() {
	limit := time.After(time.Second)
	for w.inmate.words != nil {
		select {
		case said, ok := <-w.inmate.words:
			w.hear(said, ok)
		case <-limit:
			w.inmate.words = nil
		}
	}
}

// mournInmate answers for the process that the shim itself started: the child,
// or with a namespace its keeper.
func (w *warden) mournInmate(d death) {
	w.last()
	in := w.inmate
	switch {
	case in.trouble != "":
		w.neverBegan(in.trouble)
	case !in.started && w.urgency == 0:
		code, signal := verdict(d.status)
		w.neverBegan("the sandbox could not be built (" + howEnded(code, signal) + "); its words stand in the output")
	case w.child == 0: // the cell had told before
	default:
		w.bury(d)
	}
}

// neverBegan makes of an end that there was no child.
func (w *warden) neverBegan(why string) {
	w.rec.CannotStart, w.rec.Reason, w.rec.Code, w.rec.Signal = true, why, nil, ""
	w.child = 0
}

func howEnded(code *int, signal string) string {
	if code == nil {
		return signal
	}
	return fmt.Sprintf("exit code %d", *code)
}

// staff says whether a process is part of the sandbox itself. A cell whose
// keeper has died first has another parent.
func (w *warden) staff(p process) bool {
	in := w.inmate
	return in != nil && in.keeper != 0 && (p.PID == in.keeper || p.Parent == in.keeper || p.PID == in.cell)
}

// itself says whether a process is the child or part of its sandbox: none of
// these is something that was left behind.
func (w *warden) itself(p process) bool {
	return p.PID == w.child || w.staff(p) || w.inmate != nil && p.PID == w.inmate.child
}
