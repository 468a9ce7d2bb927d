package proc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// ShimMain is not used here: the job ends the child when the supervisor dies.
func ShimMain() { os.Exit(64) }

// jobHandle is a child in a job object. The job ends with its last handle, which
// this process holds, so nothing outlives the supervisor. There are no polite
// signals: every order ends the whole job at once. A process that the child
// starts before it is in the job escapes.
type jobHandle struct {
	cmd   *exec.Cmd
	job   windows.Handle
	rec   exitRecord
	mu    sync.Mutex
	ended bool
}

func launch(s Spec, out *output) (handle, error) {
	b := &jobHandle{cmd: exec.Command(s.Argv[0], s.Argv[1:]...)}
	b.rec = exitRecord{Schema: exitSchema, Run: s.Run, Ended: byItself}
	b.rec.StartedAt = time.Now()
	b.cmd.Dir, b.cmd.Env = s.Dir, s.Env
	b.cmd.Stdin, b.cmd.Stdout, b.cmd.Stderr = out.stdin, out.stdout, out.stderr
	run := runRecord{Schema: runSchema, Run: s.Run, GraceNS: int64(s.Grace)}
	if err := writeRecord(s.RunDir, runFile, run, false); err != nil {
		return nil, err
	}
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	b.job = job
	if err := b.cmd.Start(); err != nil {
		b.rec.CannotStart, b.rec.Reason = true, err.Error()
		return b, nil
	}
	if err := b.enclose(); err != nil {
		b.cmd.Process.Kill()
		b.cmd.Wait()
		windows.CloseHandle(job)
		return nil, err
	}
	return b, nil
}

func (b *jobHandle) tree() (tree, watcher *os.File) { return nil, nil }

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("create job: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("limit job: %w", err)
	}
	return job, nil
}

func (b *jobHandle) enclose() error {
	const access = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	h, err := windows.OpenProcess(access, false, uint32(b.cmd.Process.Pid))
	if err != nil {
		return fmt.Errorf("open process: %w", err)
	}
	defer windows.CloseHandle(h)
	if err := windows.AssignProcessToJobObject(b.job, h); err != nil {
		return fmt.Errorf("assign process to job: %w", err)
	}
	return nil
}

func (b *jobHandle) order(o order) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	b.ended, b.rec.Ended = true, o.ending()
	windows.TerminateJobObject(b.job, 1)
}

func (b *jobHandle) destroy() { b.order(orderKill) }

func (b *jobHandle) wait() (exitRecord, error) {
	if !b.rec.CannotStart {
		b.cmd.Wait()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	windows.TerminateJobObject(b.job, 1)
	windows.CloseHandle(b.job)
	b.rec.Duration = time.Since(b.rec.StartedAt)
	if st := b.cmd.ProcessState; st != nil {
		code := st.ExitCode()
		b.rec.Code, b.rec.UserTime, b.rec.SystemTime = &code, st.UserTime(), st.SystemTime()
	}
	return b.rec, nil
}

// Recover has nothing to end: the job did that. How the child ended is not
// recorded on this system.
func Recover(_ context.Context, runDir string) (Left, error) {
	_, err := os.Stat(filepath.Join(runDir, runFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Left{How: LeftNone}, nil
	}
	return Left{How: LeftLost, Reason: "its supervisor was gone"}, nil
}
