package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// runRecord is run.json: who supervises the child, so that after a crash the
// right process is ended and no other.
type runRecord struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	// Shim is the shim's identity; Machine is where that identity means
	// anything.
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

// machine is the world in which a pid has a meaning.
type machine struct {
	Boot string `json:"boot"`
	// PIDNamespace is empty where there are none.
	PIDNamespace string `json:"pid_namespace,omitempty"`
	Host         string `json:"host"`
}

// same says whether pids of one mean the same in the other. An unknown boot
// is never the same.
func (m machine) same(n machine) bool {
	return m.Boot != "" && m.Boot == n.Boot && m.PIDNamespace == n.PIDNamespace
}

const (
	runFile  = "run.json"
	exitFile = "exit.json"
)

// writeRecord replaces dir/name in one step. With durable set it also outlives
// a power cut; see doc.go for who needs that.
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

// makeRunDir makes the directory of a run and refuses one that is in use.
func makeRunDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make run directory: %w", err)
	}
	_, err := os.Lstat(filepath.Join(dir, runFile))
	if err == nil {
		return fmt.Errorf("%s: %w", dir, ErrUsed)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at run directory: %w", err)
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
