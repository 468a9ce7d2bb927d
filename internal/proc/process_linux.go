package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// subreaper: every orphan among the descendants becomes the shim's child,
	// so a shim without children has no descendants.
	subreaper = true
	// rssUnit is the unit of ru_maxrss, in bytes.
	rssUnit = 1024
)

// adoptOrphans makes this process the parent of every orphan below it: for a
// shim its work, for a supervisor the net under a shim that is killed.
func adoptOrphans() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// selfPath is this program, even when its file was replaced by an upgrade.
func selfPath() string { return "/proc/self/exe" }

// closeOnExec keeps fd and all above it from the child. Below are the standard
// files; above may be what a careless parent of ralph left open.
func closeOnExec(fd int) {
	unix.CloseOnExec(fd)
	unix.CloseRange(uint(fd), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

func thisMachine() machine {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	host, _ := os.Hostname()
	return machine{Boot: string(bytes.TrimSpace(boot)), PIDNamespace: space, Host: host}
}

// look reads one process from /proc.
func look(pid int) (process, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, err
	}
	p, err := parseStat(string(text))
	if err == nil && p.PID != pid {
		err = fmt.Errorf("/proc/%d/stat speaks of %d", pid, p.PID)
	}
	return p, err
}

var errStat = errors.New("not a stat line of /proc")

// parseStat reads "pid (name) state ppid pgrp session … starttime …". The name
// is the process's own choice and may hold anything, also ") R 1".
func parseStat(line string) (process, error) {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return process{}, errStat
	}
	fields := strings.Fields(line[end+1:])
	if len(fields) < 20 {
		return process{}, errStat
	}
	var n [5]int64
	for i, text := range []string{strings.TrimSpace(line[:open]), fields[1], fields[2], fields[3], fields[19]} {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return process{}, errStat
		}
		n[i] = v
	}
	return process{
		identity: identity{PID: int(n[0]), Start: n[4]},
		Parent:   int(n[1]), Group: int(n[2]), Session: int(n[3]),
		Zombie: fields[0] == "Z" || fields[0] == "X",
	}, nil
}

// descendants lists the living processes below root, parents first. It is a
// look at a moving thing: callers repeat it.
func descendants(root, _ int) []process {
	var all []process
	queue := []int{root}
	seen := map[int]bool{root: true}
	for len(queue) > 0 {
		parent := queue[0]
		queue = queue[1:]
		for _, pid := range children(parent) {
			p, err := look(pid)
			// A pid that was reused since it was listed has another parent.
			if err != nil || seen[pid] || p.Parent != parent && p.Parent != root {
				continue
			}
			seen[pid] = true
			queue = append(queue, pid)
			if !p.Zombie {
				all = append(all, p)
			}
		}
	}
	return all
}

// children reads the kernel's own list, one per thread, and without it looks
// at everybody.
func children(pid int) []int {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, _ := os.ReadDir(tasks)
	var list []int
	for _, t := range threads {
		text, err := os.ReadFile(filepath.Join(tasks, t.Name(), "children"))
		if errors.Is(err, fs.ErrNotExist) && !childrenListed() {
			return childrenByScan(pid)
		}
		for _, f := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(f); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

// childrenListed says whether this kernel has the list at all.
func childrenListed() bool {
	self := strconv.Itoa(os.Getpid())
	_, err := os.Stat("/proc/self/task/" + self + "/children")
	return err == nil
}

func childrenByScan(pid int) []int {
	var list []int
	for _, p := range everybody() {
		if p.Parent == pid {
			list = append(list, p.PID)
		}
	}
	return list
}

func everybody() []process {
	entries, _ := os.ReadDir("/proc")
	var all []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, err := look(pid); err == nil {
			all = append(all, p)
		}
	}
	return all
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

// send signals this very process and no later owner of its pid: the pidfd
// holds on to one process, and only then is its start time compared.
func send(id identity, sig unix.Signal) bool {
	fd, err := unix.PidfdOpen(id.PID, 0)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return sendByPID(id, sig)
	}
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	p, err := look(id.PID)
	if err != nil || p.identity != id {
		return false
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0) == nil
}

// sendByPID is for kernels before 5.3 and sandboxes that forbid pidfds. The
// instant between look and kill is all that is left to chance.
func sendByPID(id identity, sig unix.Signal) bool {
	p, err := look(id.PID)
	return err == nil && p.identity == id && unix.Kill(id.PID, sig) == nil
}
