package proc

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	// subreaper: macOS has none. A daemon that left both its parent and the
	// child's process group is not found.
	subreaper = false
	// rssUnit is the unit of ru_maxrss, in bytes.
	rssUnit = 1
)

func adoptOrphans() {}

func selfPath() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

func closeOnExec(fd int) { unix.CloseOnExec(fd) }

func thisMachine() machine {
	boot, _ := unix.Sysctl("kern.bootsessionuuid")
	host, _ := os.Hostname()
	return machine{Boot: boot, Host: host}
}

// innerPID: there are no pid namespaces.
func innerPID(pid int) int { return pid }

func readProcess(pid int) (process, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, err
	}
	p := fromKinfo(k)
	if p.PID != pid {
		return process{}, fmt.Errorf("process %d: no such process", pid)
	}
	return p, nil
}

const statZombie = 5 // SZOMB of <sys/proc.h>

func fromKinfo(k *unix.KinfoProc) process {
	start := k.Proc.P_starttime
	return process{
		identity: identity{PID: int(k.Proc.P_pid), Start: start.Sec*1e6 + int64(start.Usec)},
		Parent:   int(k.Eproc.Ppid), Group: int(k.Eproc.Pgid),
		Zombie: k.Proc.P_stat == statZombie,
	}
}

// descendants returns the living processes below root and those of the group.
func descendants(root, group int) []process {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	below := map[int]bool{root: true}
	var all []process
	for grown := true; grown; {
		grown = false
		for i := range table {
			p := fromKinfo(&table[i])
			if below[p.PID] || !below[p.Parent] && (group == 0 || p.Group != group) {
				continue
			}
			below[p.PID], grown = true, true
			if !p.Zombie {
				all = append(all, p)
			}
		}
	}
	return all
}

// send compares the start time right before the signal; macOS has no handle that
// would make the two one step.
func send(id identity, sig unix.Signal) bool {
	p, err := readProcess(id.PID)
	return err == nil && p.identity == id && unix.Kill(id.PID, sig) == nil
}

// sweepLost finds nothing here: the children of a killed shim belong to launchd,
// and their environment is not read.
func sweepLost(identity, string) (ended, left int) { return 0, 0 }

func carriers(string) []process { return nil }
