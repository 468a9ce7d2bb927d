//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// shimHandle is a child behind its shim.
type shimHandle struct {
	spec     Spec
	cmd      *exec.Cmd
	lifeline *os.File
	// room is the socket on which the tree of a room arrives, nil without one.
	room *os.File
	id   identity
}

// launch starts a shim. One that is killed before it received its request (memory
// was short) has started nothing, so another one is tried.
func launch(s Spec, out *output) (b handle, err error) {
	adoptOrphans()
	const tries = 3
	for range tries {
		if b, err = launchShim(s, out); !errors.Is(err, syscall.EPIPE) {
			return b, err
		}
	}
	return nil, err
}

// launchShim starts a shim, records it, and then sends the start request: a
// supervisor that dies in between leaves a shim that reads the end of its
// lifeline and exits, without a child.
func launchShim(s Spec, out *output) (handle, error) {
	far, near, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open lifeline: %w", err)
	}
	b := &shimHandle{spec: s, cmd: shimCommand(s, out, far), lifeline: near}
	ends := []*os.File{far}
	if s.Sandbox != nil && s.Sandbox.Room != nil {
		inner, outer, err := treeSocket()
		if err != nil {
			return nil, errors.Join(err, far.Close(), near.Close())
		}
		b.room, ends = outer, append(ends, inner)
		b.cmd.ExtraFiles = append(b.cmd.ExtraFiles, inner)
	}
	err = b.cmd.Start()
	for _, end := range ends {
		_ = end.Close()
	}
	if err != nil {
		b.close()
		return nil, notForked("start shim", err)
	}
	if err := b.recordAndStart(); err != nil {
		b.close()
		_ = b.cmd.Wait()
		// Without the whole request the shim has started nothing.
		os.Remove(filepath.Join(s.RunDir, runFile))
		return nil, err
	}
	return b, nil
}

// close closes this process's ends.
func (b *shimHandle) close() {
	_ = b.lifeline.Close()
	if b.room != nil {
		_ = b.room.Close()
	}
}

// tree returns the tree of the room and what watched it, once.
func (b *shimHandle) tree() (tree, watcher *os.File) {
	if b.room == nil {
		return nil, nil
	}
	defer func() { _ = b.room.Close(); b.room = nil }()
	return receiveTree(b.room)
}

// shimCommand passes no environment: the start request comes through the
// lifeline, where no other process can read it.
func shimCommand(s Spec, out *output, lifeline *os.File) *exec.Cmd {
	cmd := &exec.Cmd{
		Path: selfPath(),
		Args: []string{"ralph", shimArg, s.Run},
		// A directory that is deleted or unmounted must not matter to the shim.
		Dir: "/",
		// One processor is enough for a process that waits, and starts faster.
		Env:         []string{ownerMark(), "GOMAXPROCS=1"},
		ExtraFiles:  []*os.File{lifeline},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = out.stdin, out.stdout, out.stderr
	if dir := os.Getenv("GOCOVERDIR"); dir != "" {
		cmd.Env = append(cmd.Env, "GOCOVERDIR="+dir)
	}
	return cmd
}

// recordAndStart records the shim and sends the start request.
func (b *shimHandle) recordAndStart() error {
	p, err := readProcess(b.cmd.Process.Pid)
	if err != nil {
		return fmt.Errorf("identify shim: %w", err)
	}
	b.id = p.identity
	rec := runRecord{
		Schema: runSchema, Run: b.spec.Run, Shim: b.id, Machine: thisMachine(),
		GraceNS: int64(b.spec.Grace),
	}
	if err := writeRecord(b.spec.RunDir, runFile, rec, false); err != nil {
		return err
	}
	_ = b.lifeline.SetWriteDeadline(time.Now().Add(orderTime))
	if err := sendStart(b.lifeline, b.spec.startRequest()); err != nil {
		return fmt.Errorf("instruct shim: %w", err)
	}
	return b.lifeline.SetWriteDeadline(time.Time{})
}

// order writes one byte. A shim that is gone needs no orders.
func (b *shimHandle) order(o order) { _, _ = b.lifeline.Write([]byte{byte(o)}) }

func (b *shimHandle) destroy() { _ = b.cmd.Process.Kill() }

// wait trusts exit.json only after a shim that exited properly: a process that
// can kill the shim can also forge the file.
func (b *shimHandle) wait() (exitRecord, error) {
	err := b.cmd.Wait()
	_ = b.lifeline.Close()
	if err == nil {
		var rec exitRecord
		if rec, err = readExit(b.spec.RunDir, b.spec.Run); err == nil {
			return rec, nil
		}
	}
	if b.cmd.ProcessState.ExitCode() == shimNoExitFile {
		err = errNoExitFile
	}
	ended, left := sweepLost(b.id, b.spec.Run)
	rec := exitRecord{Exit: Exit{Leftovers: ended, Survivors: left}}
	return rec, fmt.Errorf("%w: %w", ErrLost, err)
}
