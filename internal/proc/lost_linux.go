package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sweepLost ends what a killed shim left. Its orphans have become children of
// this process, which adopts them, and those that keep their environment carry
// the run's token. It returns how many it ended and how many it could not.
func sweepLost(shim identity, run string) (ended, left int) {
	s := lostSweep{
		shim: shim, token: runVariable + "=" + run, owner: ownerMark(),
		suspects: map[identity]time.Time{}, ended: map[identity]bool{},
	}
	s.self, _ = look(os.Getpid())
	limit := time.Now().Add(sweepTime)
	for quiet := 0; quiet < quietRounds && time.Now().Before(limit); time.Sleep(sweepPause) {
		s.unripe = false
		for _, p := range cull(s.list) {
			s.ended[p.identity] = true
		}
		s.bury()
		left = len(living(s.ended))
		quiet++
		if left > 0 || s.unripe {
			quiet = 0
		}
	}
	return len(s.ended) - left, left
}

const (
	// quietRounds without anybody end the sweep.
	quietRounds = 3
	// ripeTime is how long an orphan must have looked like one.
	ripeTime = 20 * time.Millisecond
)

type lostSweep struct {
	self         process
	shim         identity
	token, owner string
	suspects     map[identity]time.Time // since when they look like orphans
	unripe       bool                   // one does, but not for long enough
	ended        map[identity]bool
}

// list is every orphan of the shim and every process with the run's token,
// with what is below them.
func (s *lostSweep) list() []process {
	roots := append(s.orphans(), carriers(s.token)...)
	var all []process
	for _, p := range roots {
		all = append(all, p)
		all = append(all, descendants(p.PID, 0)...)
	}
	return all
}

// orphans are the children that this process did not start itself: they left
// its session when the shim began one, are not older than the shim, and lack
// the mark of shims and helpers. A process in the middle of an exec has no
// environment to show yet, so an orphan must look like one for a while; the
// lock keeps out children that are not yet past their fork.
func (s *lostSweep) orphans() []process {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	var list []process
	for _, pid := range children(s.self.PID) {
		p, err := look(pid)
		if err != nil || p.Zombie || p.Parent != s.self.PID || p.Session == s.self.Session ||
			p.Start < s.shim.Start || p.environment(s.owner) {
			continue
		}
		if _, known := s.suspects[p.identity]; !known {
			s.suspects[p.identity] = time.Now()
		}
		if time.Since(s.suspects[p.identity]) < ripeTime {
			s.unripe = true
			continue
		}
		list = append(list, p)
	}
	return list
}

// bury waits for the orphans that were ended: they are children of this
// process, and nobody else will.
func (s *lostSweep) bury() {
	for id := range s.ended {
		if p, err := look(id.PID); err == nil && p.identity == id && p.Parent == s.self.PID {
			_, _ = unix.Wait4(id.PID, nil, unix.WNOHANG, nil)
		}
	}
}

// carriers are the living processes with this entry in their environment,
// without the caller.
func carriers(entry string) []process {
	var list []process
	for _, p := range everybody() {
		if p.PID != os.Getpid() && !p.Zombie && p.environment(entry) {
			list = append(list, p)
		}
	}
	return list
}

// environment says whether a process was started with this entry. What cannot
// be read (another user's) does not carry it.
func (id identity) environment(entry string) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(id.PID) + "/environ")
	if err != nil {
		return false
	}
	for e := range bytes.SplitSeq(text, []byte{0}) {
		if string(e) == entry {
			return true
		}
	}
	return false
}
