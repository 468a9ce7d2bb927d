package proc

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"ralph/internal/sandbox/room"
)

// treeFD is the descriptor of the builder through which the supervisor gets the
// tree of a room; the shim has it one lower.
const treeFD = 5

// roomProcess starts a process that may mount, in namespaces of its own.
func roomProcess() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setpgid: true, Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS, Pdeathsig: unix.SIGKILL,
		UidMappings: identities("uid_map", os.Geteuid()), GidMappings: identities("gid_map", os.Getegid()),
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER},
	}
}

// identities maps ids to themselves: all that this process has where it is root,
// since an overlay cannot copy a file whose owner is not mapped, else its own.
func identities(file string, own int) []syscall.SysProcIDMap {
	one := []syscall.SysProcIDMap{{ContainerID: own, HostID: own, Size: 1}}
	if os.Geteuid() != 0 {
		return one
	}
	text, err := os.ReadFile("/proc/self/" + file)
	if err != nil {
		return one
	}
	var out []syscall.SysProcIDMap
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return one
		}
		at, err := strconv.Atoi(f[0])
		size, err2 := strconv.Atoi(f[2])
		if err != nil || err2 != nil {
			return one
		}
		out = append(out, syscall.SysProcIDMap{ContainerID: at, HostID: at, Size: size})
	}
	return out
}

// buildRoom makes the mounts of a room and starts the wrapper, or the init, in
// it; it does not return.
func buildRoom(args []string) {
	runtime.LockOSThread() // privileges belong to a thread
	for _, fd := range []int{reportFD, selfFD, treeFD} {
		closeOnExec(fd)
	}
	reports := os.NewFile(reportFD, "words")
	fail := func(err error) {
		err = fmt.Errorf("build the room: %w", err)
		sendReport(reports, initReport{Error: err.Error(), Lack: forkLacks(err)})
		fmt.Fprintf(os.Stderr, "ralph: %v\n", err)
		os.Exit(notStarted)
	}
	if len(args) < 5 {
		os.Exit(shimNotStarted)
	}
	spec, err := room.Decode(args[2])
	if err != nil {
		fail(err)
	}
	tree, err := spec.Enter()
	if err == nil {
		err = sendTree(tree, spec.Watcher())
	}
	if err != nil {
		fail(err)
	}
	// A session keyring would outlive the process.
	_, _ = unix.KeyctlJoinSessionKeyring("")
	next := args[4:]
	if strings.HasPrefix(next[0], "/proc/self/") {
		startInit(next, fail)
	}
	if err := releaseCapabilities(); err != nil {
		fail(err)
	}
	keepOnExec(reportFD, selfFD)
	fail(fmt.Errorf("execute %s: %w", next[0], syscall.Exec(next[0], next, os.Environ())))
}

// startInit starts the init in namespaces below those of the room, where the
// mounts of the room are locked, and waits for it.
func startInit(argv []string, fail func(error)) {
	catchSignals()
	dir, _ := os.Getwd()
	sys := roomProcess()
	sys.Cloneflags |= unix.CLONE_NEWPID | unix.CLONE_NEWIPC
	pid, err := forkExecWith(sys, argv[0], argv, os.Environ(), dir, reportFD, selfFD)
	if err != nil {
		fail(fmt.Errorf("execute the sandbox init: %w", err))
	}
	_ = unix.Close(reportFD)
	var status unix.WaitStatus
	for {
		if _, err := unix.Wait4(pid, &status, 0, nil); err != unix.EINTR {
			break
		}
	}
	if status.Signaled() {
		os.Exit(128 + int(status.Signal())) // as bubblewrap does
	}
	os.Exit(status.ExitStatus())
}

// sendTree sends the descriptors of the tree and of what watches it, if anything does,
// to the supervisor.
func sendTree(tree, watcher *os.File) error {
	if tree == nil {
		return nil
	}
	defer tree.Close()
	fds := []int{int(tree.Fd())}
	if watcher != nil {
		defer watcher.Close()
		fds = append(fds, int(watcher.Fd()))
	}
	if err := unix.Sendmsg(treeFD, []byte{'t'}, unix.UnixRights(fds...), nil, 0); err != nil {
		return fmt.Errorf("hand over the tree: %w", err)
	}
	return nil
}

// releaseCapabilities gives up those of an ordinary user, which bubblewrap takes
// for a mistake. Root's come back with each program that it starts; bubblewrap
// drops them.
func releaseCapabilities() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	if os.Geteuid() == 0 {
		return nil
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return nil
}

func keepOnExec(fds ...int) {
	for _, fd := range fds {
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0)
	}
}

// treeSocket is a pair of sockets through which the builder of a room sends the
// tree.
func treeSocket() (far, near *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("open a socket to the room: %w", err)
	}
	return os.NewFile(uintptr(fds[0]), "tree"), os.NewFile(uintptr(fds[1]), "tree"), nil
}

// receiveTree returns what the builder has sent, nil where it did not come that
// far; watcher is nil where nothing is watched.
func receiveTree(near *os.File) (tree, watcher *os.File) {
	control := make([]byte, unix.CmsgSpace(2*4))
	_, n, _, _, err := unix.Recvmsg(int(near.Fd()), make([]byte, 1), control, unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return nil, nil
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 {
		return nil, nil
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return nil, nil
	}
	if len(fds) > 1 {
		watcher = os.NewFile(uintptr(fds[1]), "watch")
	}
	return os.NewFile(uintptr(fds[0]), "tree"), watcher
}
