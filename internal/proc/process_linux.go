package proc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
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
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// selfPath is this program, even when its file was replaced by an upgrade.
func selfPath() string { return "/proc/self/exe" }

// closeOnExec keeps fd and all above it from the child. Below are the standard
// files; above may be what a careless parent of ralph left open.
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

// innerPID is what a process is called in the innermost pid namespace that it
// lives in; 0 when it is gone or the kernel does not tell (before 4.1).
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
