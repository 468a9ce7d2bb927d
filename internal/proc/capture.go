package proc

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"
	"sync"
)

const (
	// DefaultCaptureLimit is how much output a Capture keeps in its file.
	DefaultCaptureLimit = 64 << 20

	headSize = 64 << 10
	tailSize = 256 << 10
)

// Capture keeps output of any size: all of it in a file up to a limit, beyond
// that the file's beginning and the last 256 KiB with a marker between; and in
// memory the first 64 KiB and the last 256 KiB. Bytes are bytes: there are no
// lines and nothing is decoded.
//
// Write never fails and never blocks on anything but the disk, since a child
// must not die or hang because of its log. What went wrong is said by Close.
type Capture struct {
	mu   sync.Mutex
	file *os.File
	sum  hash.Hash
	err  error // of the file; nothing is written after it

	room   int64 // for the beginning, in the file
	atEnd  int64 // of the tail, in the file
	stored int64
	seen   int64
	cut    bool
	head   []byte
	tail   ring
}

// Stored is what a closed Capture left in its file.
type Stored struct {
	// Bytes were written by the child, Size are in the file.
	Bytes, Size int64
	// SHA256 is that of the file, in hex.
	SHA256    string
	Truncated bool
}

// NewCapture makes the file anew, 0600; limit 0 is DefaultCaptureLimit. An
// older file of that name, or a link that somebody put there, is removed and
// not written through.
func NewCapture(path string, limit int64) (*Capture, error) {
	if limit <= 0 {
		limit = DefaultCaptureLimit
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("make capture: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make capture: %w", err)
	}
	atEnd := min(tailSize, limit/2)
	return &Capture{file: f, sum: sha256.New(), room: limit - atEnd, atEnd: atEnd, tail: ring{max: tailSize}}, nil
}

// Write takes everything.
func (c *Capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen += int64(len(p))
	if room := headSize - len(c.head); room > 0 {
		c.head = append(c.head, p[:min(room, len(p))]...)
	}
	c.tail.write(p)
	if n := min(c.room, int64(len(p))); n > 0 {
		c.room -= n
		c.store(p[:n])
	}
	return len(p), nil
}

// store writes to the file and hashes what arrived there.
func (c *Capture) store(p []byte) {
	if c.err != nil || len(p) == 0 {
		return
	}
	n, err := c.file.Write(p)
	c.sum.Write(p[:n])
	c.stored += int64(n)
	c.err = err
}

// Head is the first 64 KiB.
func (c *Capture) Head() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]byte(nil), c.head...)
}

// Tail is the last 256 KiB.
func (c *Capture) Tail() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tail.bytes()
}

// Size counts the bytes written so far, kept or not.
func (c *Capture) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

// Close adds the end of the output to the file and brings it to the disk. Any
// error says that the file is not the whole of what should be in it.
func (c *Capture) Close() (Stored, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finish()
	if c.err == nil {
		c.err = c.file.Sync()
	}
	err := errors.Join(c.err, c.file.Close())
	s := Stored{Bytes: c.seen, Size: c.stored, SHA256: hex.EncodeToString(c.sum.Sum(nil)), Truncated: c.cut}
	if err != nil {
		return s, fmt.Errorf("close capture: %w", err)
	}
	return s, nil
}

// finish appends what came after the beginning, or its end behind a marker.
func (c *Capture) finish() {
	after := c.seen - c.stored
	if c.err != nil || after == 0 {
		return
	}
	end := c.tail.bytes()
	end = end[int64(len(end))-min(after, c.atEnd, int64(len(end))):]
	if missing := after - int64(len(end)); missing > 0 {
		c.cut = true
		c.store(fmt.Appendf(nil, "\n[... %d bytes truncated ...]\n", missing))
	}
	c.store(end)
}
