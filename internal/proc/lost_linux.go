package proc

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sweepLost ends the processes that a killed shim left. Its orphans have become
// children of this process, which adopts them, and those that keep their
// environment carry the run's token. It returns how many it ended and how many it
// could not.
func sweepLost(shim identity, run string) (ended, left int) {
	s := lostSweep{
		shim: shim, token: runVariable + "=" + run, owner: ownerMark(),
		suspects: map[identity]time.Time{}, ended: map[identity]bool{},
	}
	s.self, _ = readProcess(os.Getpid())
	limit := time.Now().Add(sweepTime)
	for quiet := 0; quiet < quietRounds && time.Now().Before(limit); time.Sleep(sweepPause) {
		s.unconfirmed = false
		for _, p := range killAll(s.list) {
			s.ended[p.identity] = true
		}
		s.reap()
		left = len(living(s.ended))
		quiet++
		if left > 0 || s.unconfirmed {
			quiet = 0
		}
	}
	return len(s.ended) - left, left
}

const (
	// quietRounds without a process end the sweep.
	quietRounds = 3
	// confirmTime is how long a process must have looked like an orphan.
	confirmTime = 20 * time.Millisecond
)

type lostSweep struct {
	self         process
	shim         identity
	token, owner string
	suspects     map[identity]time.Time // since when they look like orphans
	unconfirmed  bool                   // one does, but not for long enough
	ended        map[identity]bool
}

// list returns every orphan of the shim and every process with the run's token,
// with their descendants.
func (s *lostSweep) list() []process {
	roots := append(s.orphans(), carriers(s.token)...)
	var all []process
	for _, p := range roots {
		all = append(all, p)
		all = append(all, descendants(p.PID, 0)...)
	}
	return all
}

// orphans returns the children that this process did not start itself: they left
// its session when the shim began one, are not older than the shim, and lack the
// mark of shims and helpers. A process in the middle of an exec has no
// environment to show yet, so an orphan must look like one for a while; the lock
// excludes children that are still in their fork.
func (s *lostSweep) orphans() []process {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	var list []process
	for _, pid := range children(s.self.PID) {
		p, err := readProcess(pid)
		if err != nil || p.Zombie || p.Parent != s.self.PID || p.Session == s.self.Session ||
			p.Start < s.shim.Start || p.environment(s.owner) {
			continue
		}
		if _, known := s.suspects[p.identity]; !known {
			s.suspects[p.identity] = time.Now()
		}
		if time.Since(s.suspects[p.identity]) < confirmTime {
			s.unconfirmed = true
			continue
		}
		list = append(list, p)
	}
	return list
}

// reap waits for the ended orphans: they are children of this process.
func (s *lostSweep) reap() {
	for id := range s.ended {
		if p, err := readProcess(id.PID); err == nil && p.identity == id && p.Parent == s.self.PID {
			_, _ = unix.Wait4(id.PID, nil, unix.WNOHANG, nil)
		}
	}
}

// carriers returns the living processes with this entry in their environment,
// except this one.
func carriers(entry string) []process {
	var list []process
	for _, p := range allProcesses() {
		if p.PID != os.Getpid() && !p.Zombie && p.environment(entry) {
			list = append(list, p)
		}
	}
	return list
}

// environment reports whether a process was started with this entry; false where
// it cannot be read (another user's).
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

// send signals this very process and no later owner of its pid: the pidfd holds
// on to one process, and only then is its start time compared.
func send(id identity, sig unix.Signal) bool {
	fd, err := unix.PidfdOpen(id.PID, 0)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return sendByPID(id, sig)
	}
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	p, err := readProcess(id.PID)
	if err != nil || p.identity != id {
		return false
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0) == nil
}

// sendByPID is for kernels before 5.3 and sandboxes that forbid pidfds. A pid
// could be reused only between the look-up and the kill.
func sendByPID(id identity, sig unix.Signal) bool {
	p, err := readProcess(id.PID)
	return err == nil && p.identity == id && unix.Kill(id.PID, sig) == nil
}
