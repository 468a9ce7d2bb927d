package proc

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// Descriptors that a shim gives a sandbox init besides the standard files.
const (
	reportFD = 3 // for its reports
	selfFD   = 4 // this program, which may have no path inside
)

// sandboxInit is the first process in a sandbox; it does not return.
func sandboxInit(args []string) {
	closeOnExec(reportFD)
	words := os.NewFile(reportFD, "words")
	fail := func(err error) {
		sendReport(words, initReport{Error: err.Error(), Lack: forkLacks(err)})
		fmt.Fprintf(os.Stderr, "ralph: %v\n", err)
		os.Exit(notStarted)
	}
	var plan initConfig
	if len(args) < 5 || json.Unmarshal([]byte(args[2]), &plan) != nil {
		os.Exit(shimNotStarted)
	}
	argv := args[4:]
	if err := plan.confine(); err != nil {
		fail(err)
	}
	path, err := findIn(os.Environ(), argv[0])
	if err != nil {
		fail(err)
	}
	if !plan.First {
		sendReport(words, initReport{Started: true})
		fail(fmt.Errorf("execute %s: %w", path, syscall.Exec(path, argv, os.Environ())))
	}
	// No process inside may attach to this one and forge its reports.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	catchSignals()
	dir, _ := os.Getwd()
	pid, err := forkExec(path, argv, os.Environ(), dir)
	if err != nil {
		fail(fmt.Errorf("execute %s: %w", path, err))
	}
	sendReport(words, initReport{Started: true, PID: pid})
	for d := range reap() {
		if d.pid == pid {
			sendReport(words, initReport{Ended: true, Status: uint32(d.status)})
		}
	}
	os.Exit(0)
}

// confine gives up what the child must not have.
func (c initConfig) confine() error {
	if c.Proc {
		if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
			return fmt.Errorf("mount /proc: %w", err)
		}
	}
	if c.Landlock != nil {
		if err := c.Landlock.enforce(); err != nil {
			return err
		}
	}
	if c.Landlock == nil && !c.Proc {
		return nil
	}
	if err := dropPrivileges(); err != nil {
		return err
	}
	// Privileges of a file could still raise those that the parent had.
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// notStarted is the exit code of shells when a command cannot be executed.
const notStarted = 126

// sendReport sends one report to the shim, if there is one.
func sendReport(to *os.File, w initReport) {
	line, _ := json.Marshal(w)
	_, _ = to.Write(append(line, '\n'))
}

// enforce restricts this process for good. Signals to processes outside are
// blocked where the kernel can (6.12).
func (w *LandlockRules) enforce() error {
	rules := w.readable()
	for _, dir := range w.Dirs {
		rules = append(rules, landlock.RWDirs(dir).WithRefer().WithIoctlDev().IgnoreIfMissing())
	}
	for _, file := range w.Files {
		rules = append(rules, landlock.RWFiles(file).WithIoctlDev().IgnoreIfMissing())
	}
	// Never the network: agents need theirs, and UDP could not be refused.
	config := landlock.V6
	config.HandledAccessNet = 0
	// All in one ruleset: each further one refuses every rename and link from one
	// folder into another, whatever it is about.
	if err := config.BestEffort().Restrict(rules...); err != nil {
		return fmt.Errorf("build the sandbox (Landlock): %w", err)
	}
	return nil
}

// LandlockABI returns the version of Landlock that this kernel offers, 0 for
// none.
func LandlockABI() int {
	const askVersion = 1
	v, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, askVersion)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// dropPrivileges drops capabilities of this thread, for good, before it executes
// a child of root's under Landlock. Landlock does not hold a process that has
// them all: since Linux 6.14 CAP_PERFMON alone reads the environment and the
// memory map of any process, CAP_SYS_ADMIN mounts, CAP_MKNOD makes a disk to
// write to in its own folder. The rest are capabilities that programs expect as
// root in a container (the files and ids of others), so that a tree of another
// user can still be worked in. Other users have none to lose.
func dropPrivileges() error {
	runtime.LockOSThread() // capabilities belong to a thread; execve keeps this one's
	var kept [2]uint32
	for c := range 64 {
		if slices.Contains(keptCapabilities, c) {
			kept[c/32] |= 1 << (c % 32)
			continue
		}
		// Fails for one that this kernel does not know, and without privileges.
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return fmt.Errorf("read capabilities: %w", err)
	}
	for i := range have {
		have[i].Effective &= kept[i]
		have[i].Permitted &= kept[i]
		have[i].Inheritable &= kept[i]
	}
	if err := unix.Capset(&header, &have[0]); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return nil
}

var keptCapabilities = []int{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETGID, unix.CAP_SETUID,
	unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_NET_RAW, unix.CAP_AUDIT_WRITE, unix.CAP_SETFCAP,
}
