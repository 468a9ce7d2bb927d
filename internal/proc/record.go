package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ralph/internal/durable"
	"ralph/internal/loop"
)

// runRecord is run.json: it names the shim, so that after a crash the right
// process is ended and no other.
type runRecord struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	// Shim is the shim's identity; Machine is where that identity is valid.
	Shim    identity `json:"shim"`
	Machine machine  `json:"machine"`
	// GraceNS is how long the shim may take between TERM and KILL.
	GraceNS int64 `json:"grace_ns"`
}

const runSchema = "ralph.run/v1"

// identity names one process of one machine: a pid alone is reused.
type identity struct {
	PID int `json:"pid"`
	// Start is the start time in the kernel's own unit: clock ticks since
	// boot on Linux, microseconds since 1970 on macOS.
	Start int64 `json:"start"`
}

// machine is the scope of a pid.
type machine struct {
	Boot string `json:"boot"`
	// PIDNamespace is empty where there are none.
	PIDNamespace string `json:"pid_namespace,omitempty"`
	Host         string `json:"host"`
}

// same reports whether pids of one are valid in the other. An unknown boot is
// never the same.
func (m machine) same(n machine) bool {
	return m.Boot != "" && m.Boot == n.Boot && m.PIDNamespace == n.PIDNamespace
}

const (
	runFile  = "run.json"
	exitFile = "exit.json"
)

// writeRecord replaces dir/name atomically. With durable set it also outlives a
// power cut; see doc.go for which records need that.
func writeRecord(dir, name string, v any, durable bool) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	path := filepath.Join(dir, name)
	if err := writeFile(path+".tmp", append(body, '\n'), durable); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if !durable {
		return nil
	}
	return syncDir(dir)
}

func writeFile(path string, body []byte, durable bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err == nil && durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync directory %s: %w", dir, err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync directory %s: %w", dir, err)
	}
	return nil
}

// makeRunDir creates the directory of a run and refuses one that is in use.
func makeRunDir(dir string) error {
	if err := durable.MkdirAll(dir); err != nil {
		return fmt.Errorf("make run directory: %w", err)
	}
	_, err := os.Lstat(filepath.Join(dir, runFile))
	if err == nil {
		return fmt.Errorf("%s: %w", dir, errUsed)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("check run directory: %w", err)
	}
	return nil
}

// readExit reads exit.json of this very run.
func readExit(dir, run string) (exitRecord, error) {
	var rec exitRecord
	if err := readRecord(filepath.Join(dir, exitFile), &rec); err != nil {
		return rec, err
	}
	if rec.Schema != exitSchema || rec.Run != run || rec.Ended == "" {
		return rec, fmt.Errorf("read %s: not the record of run %s", filepath.Join(dir, exitFile), run)
	}
	return rec, nil
}

func readRecord(path string, v any) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// ErrLost is returned when it is unknown how a child ended: its shim was killed.
// The descendants that the shim left have been ended.
var ErrLost = errors.New("the child's supervisor process was lost")

// errNoExitFile is the end of a shim that could not write its record.
var errNoExitFile = errors.New("could not write " + exitFile)

// errUsed is returned when the run directory already holds a run.
var errUsed = errors.New("the run directory already holds a run")

// Exit is how a child ended. Only OK means success: a child may exit with 0
// because it was told to stop.
type Exit struct {
	// Code is the exit code; nil when a signal ended the child, it could not be
	// started, or it is unknown.
	Code *int `json:"code"`
	// Signal is the name of the signal that ended it, such as SIGKILL.
	Signal string `json:"signal,omitempty"`

	// CannotStart: there was no child; see Reason.
	CannotStart bool   `json:"cannot_start,omitempty"`
	Reason      string `json:"reason,omitempty"`
	// Lack: the machine lacked memory, processes, descriptors or disk.
	Lack bool `json:"lack,omitempty"`
	// Lost: how the child ended is unknown, because a process that supervised it was
	// killed.
	Lost bool `json:"lost,omitempty"`

	// At most one of these is set; none means that the child ended by itself.
	TimedOut bool `json:"timed_out,omitempty"`
	Stopped  bool `json:"stopped,omitempty"`
	Finished bool `json:"finished,omitempty"`

	// Leftovers counts the descendants that had to be ended; Survivors those that
	// could not be (another user's, or stuck in the kernel).
	Leftovers int `json:"leftovers,omitempty"`
	Survivors int `json:"survivors,omitempty"`

	StartedAt time.Time     `json:"started_at"`
	Duration  time.Duration `json:"duration_ns"`
	// MaxRSS is the peak of the largest process, in bytes. It is at least the few
	// MB of the shim, from which the child was forked.
	MaxRSS     int64         `json:"max_rss"`
	UserTime   time.Duration `json:"user_ns"`
	SystemTime time.Duration `json:"system_ns"`
}

// OK reports whether the child ended by itself with exit code 0.
func (e Exit) OK() bool { return e.Cause() == loop.CauseItself && e.Code != nil && *e.Code == 0 }

// ending is the cause of the child's end.
type ending string

const (
	byItself    ending = "itself"
	byStop      ending = "stopped"
	byTimeout   ending = "timeout"
	byFinish    ending = "finished"
	byAbandoned ending = "abandoned"
)

// exitRecord is exit.json.
type exitRecord struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	Ended  ending `json:"ended"`
	Exit
}

const exitSchema = "ralph.exit/v1"

// exit returns the Exit with the flags that callers read.
func (r exitRecord) exit() Exit {
	e := r.Exit
	e.TimedOut = r.Ended == byTimeout
	e.Finished = r.Ended == byFinish
	e.Stopped = r.Ended == byStop || r.Ended == byAbandoned
	return e
}
