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

// shimBody is a child seen through its shim.
type shimBody struct {
	spec     Spec
	cmd      *exec.Cmd
	lifeline *os.File
	id       identity
}

// launch starts a shim. One that is killed before it knew what to do (memory
// was short) has started nothing, so another one is tried.
func launch(s Spec, out *output) (b body, err error) {
	adoptOrphans()
	const tries = 3
	for range tries {
		if b, err = launchShim(s, out); !errors.Is(err, syscall.EPIPE) {
			return b, err
		}
	}
	return nil, err
}

// launchShim starts a shim, records it, and then tells it what to do: a
// supervisor that dies in between leaves a shim that reads the end of its
// lifeline and goes, without a child.
func launchShim(s Spec, out *output) (body, error) {
	far, near, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open lifeline: %w", err)
	}
	b := &shimBody{spec: s, cmd: shimCommand(s, out, far), lifeline: near}
	err = b.cmd.Start()
	_ = far.Close()
	if err != nil {
		_ = near.Close()
		return nil, fmt.Errorf("start shim: %w", err)
	}
	if err := b.enlist(); err != nil {
		_ = near.Close()
		_ = b.cmd.Wait()
		// Without its whole mission the shim started nothing.
		os.Remove(filepath.Join(s.RunDir, runFile))
		return nil, err
	}
	return b, nil
}

// shimCommand needs no environment: what it is to know comes through the
// lifeline, where no other process can read it.
func shimCommand(s Spec, out *output, lifeline *os.File) *exec.Cmd {
	cmd := &exec.Cmd{
		Path: selfPath(),
		Args: []string{"ralph", shimWord, s.Run},
		// A directory that is deleted or unmounted must not matter to it.
		Dir: "/",
		// One processor is plenty for a process that waits, and starts faster.
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

// enlist records the shim and sends it off.
func (b *shimBody) enlist() error {
	p, err := look(b.cmd.Process.Pid)
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
	_ = b.lifeline.SetWriteDeadline(time.Now().Add(answerTime))
	if err := sendMission(b.lifeline, b.spec.mission()); err != nil {
		return fmt.Errorf("instruct shim: %w", err)
	}
	return b.lifeline.SetWriteDeadline(time.Time{})
}

var errSpeechless = errors.New("it could not write " + exitFile)

// order writes one byte. A shim that is gone needs no orders.
func (b *shimBody) order(o order) { _, _ = b.lifeline.Write([]byte{byte(o)}) }

func (b *shimBody) destroy() { _ = b.cmd.Process.Kill() }

// wait trusts exit.json only after a shim that ended properly: whoever can
// kill the shim can also forge the file.
func (b *shimBody) wait() (exitRecord, error) {
	err := b.cmd.Wait()
	_ = b.lifeline.Close()
	if err == nil {
		var rec exitRecord
		if rec, err = readExit(b.spec.RunDir, b.spec.Run); err == nil {
			return rec, nil
		}
	}
	if b.cmd.ProcessState.ExitCode() == shimSpeechless {
		err = errSpeechless
	}
	ended, left := sweepLost(b.id, b.spec.Run)
	rec := exitRecord{Exit: Exit{Leftovers: ended, Survivors: left}}
	return rec, fmt.Errorf("%w: %w", ErrLost, err)
}
