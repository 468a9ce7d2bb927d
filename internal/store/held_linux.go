package store

import (
	"bytes"
	"fmt"
	"os"
)

// lockMark is what an owner writes into a new lock file, so that one that was put in
// its place is told from it.
const lockMark = "ralph\n"

func markLock(f *os.File) error {
	if st, err := f.Stat(); err != nil || st.Size() > 0 {
		return err
	}
	_, err := f.WriteAt([]byte(lockMark), 0)
	return err
}

func madeByOwner(lock string) bool {
	st, err := os.Lstat(lock)
	return err == nil && st.Size() > 0
}

// lives reports whether the owner is another process of this boot and pid namespace,
// and still runs.
func (o Owner) lives() bool { return o.another() && o.runs() }

// died reports whether it was such a process, and has ended.
func (o Owner) died() bool { return o.another() && !o.runs() }

func (o Owner) another() bool {
	me := myself("")
	return o.PID > 1 && o.PID != me.PID && o.Start != 0 && o.Boot != "" && o.Boot == me.Boot && o.PIDNS == me.PIDNS
}

func (o Owner) runs() bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", o.PID))
	if err != nil || startTime(stat) != o.Start {
		return false
	}
	state := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])
	return len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}
