package proc

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// What a shim gives a cell besides the standard files.
const (
	wordsFD = 3 // where it tells how the child fares
	selfFD  = 4 // this very program, which may have no path inside
)

// cell is the life of the first process inside; it does not return.
func cell(args []string) {
	closeOnExec(wordsFD)
	words := os.NewFile(wordsFD, "words")
	fail := func(err error) {
		tell(words, word{Error: err.Error()})
		fmt.Fprintf(os.Stderr, "ralph: %v\n", err)
		os.Exit(notStarted)
	}
	var plan cellPlan
	if len(args) < 5 || json.Unmarshal([]byte(args[2]), &plan) != nil {
		os.Exit(shimUseless)
	}
	argv := args[4:]
	if plan.Walls != nil {
		if err := plan.Walls.build(); err != nil {
			fail(err)
		}
		if err := humble(); err != nil {
			fail(err)
		}
	}
	path, err := lookIn(os.Environ(), argv[0])
	if err != nil {
		fail(err)
	}
	if plan.Walls != nil {
		tell(words, word{Started: true})
		fail(fmt.Errorf("execute %s: %w", path, syscall.Exec(path, argv, os.Environ())))
	}
	// Nobody inside may look into this process, and so write its words.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	catchSignals()
	dir, _ := os.Getwd()
	pid, err := forkExec(path, argv, os.Environ(), dir)
	if err != nil {
		fail(fmt.Errorf("execute %s: %w", path, err))
	}
	tell(words, word{Started: true, PID: pid})
	for d := range reap() {
		if d.pid == pid {
			tell(words, word{Ended: true, Status: uint32(d.status)})
		}
	}
	os.Exit(0)
}

// notStarted is what shells exit with when a command cannot be executed.
const notStarted = 126

// tell says one word to the shim, if there is one.
func tell(to *os.File, w word) {
	line, _ := json.Marshal(w)
	_, _ = to.Write(append(line, '\n'))
}

// build takes the rights away from this process, for good. Signals to processes
// outside are refused where the kernel can (6.12).
func (w *Walls) build() error {
	rules := []landlock.Rule{landlock.RODirs("/").WithIoctlDev()}
	for _, dir := range w.Dirs {
		rules = append(rules, landlock.RWDirs(dir).WithRefer().WithIoctlDev().IgnoreIfMissing())
	}
	for _, file := range w.Files {
		rules = append(rules, landlock.RWFiles(file).WithIoctlDev().IgnoreIfMissing())
	}
	// Never the network: agents need theirs, and UDP could not be refused.
	if err := landlock.V6.BestEffort().RestrictPaths(rules...); err != nil {
		return fmt.Errorf("build the sandbox (Landlock): %w", err)
	}
	if err := landlock.V6.BestEffort().RestrictScoped(); err != nil {
		return fmt.Errorf("build the sandbox (Landlock): %w", err)
	}
	return nil
}

// LandlockABI is the version of Landlock that this kernel offers, 0 for none.
func LandlockABI() int {
	const askVersion = 1
	v, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, askVersion)
	if errno != 0 {
		return 0
	}
	return int(v)
}
