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
	// defaultCaptureLimit is how much output a Capture keeps in its file.
	defaultCaptureLimit = 64 << 20

	headSize = 64 << 10
	tailSize = 256 << 10
)

// Capture keeps output of any size: in a file all of it up to a limit, beyond
// that the beginning and the last 256 KiB with a marker between; in memory the
// first 64 KiB and the last 256 KiB. Bytes are neither split into lines nor
// decoded.
//
// Write never fails and blocks only on the disk, since a child must not die or
// hang because of its log. Close returns what went wrong.
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

// Stored describes the file that a closed Capture has left.
type Stored struct {
	// Bytes were written by the child, Size are in the file.
	Bytes, Size int64
	// SHA256 is that of the file, in hex.
	SHA256    string
	Truncated bool
}

// NewCapture creates the file, 0600; limit 0 is DefaultCaptureLimit. An older
// file of that name, or a link, is removed and not written through.
func NewCapture(path string, limit int64) (*Capture, error) {
	if limit <= 0 {
		limit = defaultCaptureLimit
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

// Write accepts everything.
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

// store writes to the file and hashes what was written.
func (c *Capture) store(p []byte) {
	if c.err != nil || len(p) == 0 {
		return
	}
	n, err := c.file.Write(p)
	c.sum.Write(p[:n])
	c.stored += int64(n)
	c.err = err
}

// Head returns the first 64 KiB.
func (c *Capture) Head() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]byte(nil), c.head...)
}

// Tail returns the last 256 KiB.
func (c *Capture) Tail() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tail.bytes()
}

// Size returns the number of bytes written so far, kept or not.
func (c *Capture) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

// Close appends the end of the output to the file and syncs it. An error means
// that the file is incomplete.
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

// finish appends what came after the beginning, or only its end behind a marker.
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

// ring keeps the last max bytes written to it. It grows as needed.
type ring struct {
	max  int
	buf  []byte
	next int // where the next byte goes once buf is full
}

func (r *ring) write(p []byte) {
	if len(p) >= r.max {
		r.buf, r.next = append(r.buf[:0], p[len(p)-r.max:]...), 0
		return
	}
	if room := r.max - len(r.buf); room > 0 {
		n := min(room, len(p))
		r.buf, p = append(r.buf, p[:n]...), p[n:]
	}
	for len(p) > 0 {
		n := copy(r.buf[r.next:], p)
		r.next, p = (r.next+n)%r.max, p[n:]
	}
}

// bytes returns a copy, oldest first.
func (r *ring) bytes() []byte {
	out := make([]byte, 0, len(r.buf))
	out = append(out, r.buf[r.next:]...)
	return append(out, r.buf[:r.next]...)
}
