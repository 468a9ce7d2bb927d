package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRecord: an interrupted matrix plays what is left, and once more what was broken.
func TestRecord(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cells")
	keys := []key{{"cheats/a", "run", "off", 0}, {"cheats/a", "run", "off", ordinary}, {"cheats/b", "plan", "off", 0}, {"cheats/c", "check", "off", 0}}
	r, err := openRecord(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range []outcome{refused, named, broken} {
		if err := r.add(cell{key: keys[i], outcome: o, why: "because\nof this"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	if r, err = openRecord(path); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.close() }()
	cells, left := r.left(keys)
	if len(cells) != 2 || cells[0].outcome != refused || cells[1].outcome != named || cells[1].why != "because\nof this" {
		t.Errorf("of earlier runs: %+v", cells)
	}
	if len(left) != 2 || left[0] != keys[2] || left[1] != keys[3] {
		t.Errorf("left to play: %+v", left)
	}
}

// TestRecordDamaged: a file of something else is an error with its line.
func TestRecordDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cells")
	if err := os.WriteFile(path, []byte("{\"scenario\":\"cheats/a\"}\n{\"scen"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openRecord(path); err == nil || err.Error() != path+":2: unexpected end of JSON input" {
		t.Errorf("openRecord: %v", err)
	}
}
