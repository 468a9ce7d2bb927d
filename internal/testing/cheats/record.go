package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// recorded is a cell as a line of the file of -record has it.
type recorded struct {
	Scenario string  `json:"scenario"`
	Mode     string  `json:"mode"`
	Sandbox  string  `json:"sandbox"`
	User     int     `json:"user"`
	Outcome  outcome `json:"outcome"`
	Why      string  `json:"why"`
}

// record keeps the cells that were played, so that a matrix which was interrupted
// goes on where it stood. Without a file it keeps nothing.
type record struct {
	file *os.File
	// earlier are the cells of earlier runs, those apart that were broken.
	earlier map[key]cell
}

// openRecord reads the cells of the file at path, "" for none, and opens it for more.
func openRecord(path string) (*record, error) {
	r := &record{earlier: map[key]cell{}}
	if path == "" {
		return r, nil
	}
	if err := r.read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var err error
	r.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return r, err
}

func (r *record) read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var l recorded
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		k := key{scenario: l.Scenario, mode: l.Mode, sandbox: l.Sandbox, user: l.User}
		delete(r.earlier, k)
		if l.Outcome != broken {
			r.earlier[k] = cell{key: k, outcome: l.Outcome, why: l.Why}
		}
	}
	return lines.Err()
}

// left takes the cells of earlier runs out of keys, and returns them with the keys
// that are left to play.
func (r *record) left(keys []key) (cells []cell, left []key) {
	for _, k := range keys {
		if c, ok := r.earlier[k]; ok {
			cells = append(cells, c)
		} else {
			left = append(left, k)
		}
	}
	return cells, slices.Clip(left)
}

func (r *record) add(c cell) error {
	if r.file == nil {
		return nil
	}
	line, err := json.Marshal(recorded{Scenario: c.scenario, Mode: c.mode, Sandbox: c.sandbox, User: c.user, Outcome: c.outcome, Why: c.why})
	if err != nil {
		return err
	}
	_, err = r.file.Write(append(line, '\n'))
	return err
}

func (r *record) close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
