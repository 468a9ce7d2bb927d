package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const floodSize = 200 << 20

// 200 MB of any bytes pass through without buffering.
func TestFlood(t *testing.T) {
	c, err := NewCapture(filepath.Join(t.TempDir(), "log"), 8<<20)
	if err != nil {
		t.Fatal(err)
	}
	s := spec(t, roleArgv("flood", strconv.Itoa(floodSize))...)
	s.Stdout = c
	before := resident(t)
	e := wait(t, start(t, s))
	grown := resident(t) - before
	stored, err := c.Close()
	if err != nil || !e.OK() || stored.Bytes != floodSize || !stored.Truncated || stored.Size > 8<<20+100 {
		t.Errorf("got %+v, %+v, %v", e, stored, err)
	}
	if grown > 40<<20 {
		t.Errorf("grew by %d MB", grown>>20)
	}
	if !bytes.HasPrefix(c.Head(), []byte{0, 255, 'a', '\n', 0xc3, 0x28}) {
		t.Errorf("head %q", c.Head()[:8])
	}
}

// resident is this process's memory in bytes.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestNoOutput(t *testing.T) {
	t.Parallel()
	c, err := NewCapture(filepath.Join(t.TempDir(), "log"), 0)
	if err != nil {
		t.Fatal(err)
	}
	s := spec(t, "true")
	s.Stdout = c
	wait(t, start(t, s))
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if stored, err := c.Close(); err != nil || stored != (Stored{SHA256: empty}) {
		t.Errorf("got %+v, %v", stored, err)
	}
}
