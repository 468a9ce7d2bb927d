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

// adoptOrphans makes this process the parent of every orphan below it: the shim's
// purpose, and the supervisor's safety net for a killed shim.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// selfPath is this program, even after an upgrade replaced its file.
func selfPath() string { return "/proc/self/exe" }

// closeOnExec keeps fd and all above it from the child. Below are the standard
// files; above may be files that ralph inherited.
func closeOnExec(fd int) {
	unix.CloseOnExec(fd)
	_ = unix.CloseRange(uint(fd), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

func thisMachine() machine {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	host, _ := os.Hostname()
	return machine{Boot: string(bytes.TrimSpace(boot)), PIDNamespace: space, Host: host}
}

// readProcess reads one process from /proc.
func readProcess(pid int) (process, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, err
	}
	p, err := parseStat(string(text))
	if err == nil && p.PID != pid {
		err = fmt.Errorf("/proc/%d/stat belongs to process %d", pid, p.PID)
	}
	return p, err
}

// innerPID returns the pid of a process in its innermost pid namespace; 0 when it
// is gone or the kernel does not tell (before 4.1).
func innerPID(pid int) int {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	for line := range strings.Lines(string(text)) {
		if list, ok := strings.CutPrefix(line, "NSpid:"); ok {
			list = strings.TrimSpace(list)
			n, _ := strconv.Atoi(list[strings.LastIndexAny(list, " \t")+1:])
			return n
		}
	}
	return 0
}

var errStat = errors.New("not a stat line of /proc")

// parseStat reads "pid (name) state ppid pgrp session … starttime …". The name is
// the process's own choice and may hold anything, even ") R 1".
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

// descendants returns the living processes below root, parents first. It is a
// snapshot of a moving thing: callers repeat it.
func descendants(root, _ int) []process {
	var all []process
	queue := []int{root}
	seen := map[int]bool{root: true}
	for len(queue) > 0 {
		parent := queue[0]
		queue = queue[1:]
		for _, pid := range children(parent) {
			p, err := readProcess(pid)
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

// children reads the kernel's own list, one per thread, and without it scans all
// processes.
func children(pid int) []int {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, _ := os.ReadDir(tasks)
	var list []int
	for _, t := range threads {
		text, err := os.ReadFile(filepath.Join(tasks, t.Name(), "children"))
		if errors.Is(err, fs.ErrNotExist) && !childrenListed() {
			return childrenByScan(pid)
		}
		for f := range strings.FieldsSeq(string(text)) {
			if n, err := strconv.Atoi(f); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

// childrenListed reports whether this kernel has the list.
func childrenListed() bool {
	self := strconv.Itoa(os.Getpid())
	_, err := os.Stat("/proc/self/task/" + self + "/children")
	return err == nil
}

func childrenByScan(pid int) []int {
	var list []int
	for _, p := range allProcesses() {
		if p.Parent == pid {
			list = append(list, p.PID)
		}
	}
	return list
}

func allProcesses() []process {
	entries, _ := os.ReadDir("/proc")
	var all []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, err := readProcess(pid); err == nil {
			all = append(all, p)
		}
	}
	return all
}
