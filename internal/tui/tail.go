package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// window is how much of a file is read at once, and how far back its end is
// shown at first. Agents and gates print without bounds.
const window = 256 << 10

// tail reads a file that may still grow. Where it grows faster than it is read,
// the middle is left out, and said so.
type tail struct {
	path string
	// longest is what is kept of one line, in bytes.
	longest int
	// at is how far the file has been read.
	at int64
	// carry is the line that has no end yet; cut: it is too long, and the rest
	// of it is left out; over: a carriage return came, what follows overwrites.
	carry     []byte
	cut, over bool
}

// read returns the lines that came, and whether the file began anew. A file
// that is not there has no lines.
func (t *tail) read() (lines []string, anew bool, err error) {
	f, size, err := open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if size < t.at {
		*t, anew = tail{path: t.path, longest: t.longest}, true
	}
	if behind := size - t.at; behind > window {
		lines = t.skip(behind - window)
	}
	data := make([]byte, min(size-t.at, window))
	n, err := f.ReadAt(data, t.at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	t.at += int64(n)
	return append(lines, t.split(data[:n])...), anew, err
}

// open opens a file that can be read without waiting: no pipe, no device.
func open(path string) (*os.File, int64, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("read %s: not a regular file", path)
	}
	f, err := os.Open(path)
	return f, info.Size(), err
}

// skip leaves n bytes out. What comes next may begin within a line.
func (t *tail) skip(n int64) (lines []string) {
	if len(t.carry) > 0 {
		lines = []string{t.line()}
	}
	t.at, t.carry, t.cut, t.over = t.at+n, nil, false, false
	return append(lines, fmt.Sprintf("… %d bytes are left out here …", n))
}

// split makes lines of data.
func (t *tail) split(data []byte) (lines []string) {
	for {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			t.keep(data)
			return lines
		}
		t.keep(data[:i])
		lines = append(lines, t.line())
		t.carry, t.cut, t.over = t.carry[:0], false, false
		data = data[i+1:]
	}
}

// keep adds to the line that has no end yet. What follows a carriage return
// stands for what was before it, as on a terminal.
func (t *tail) keep(data []byte) {
	text := bytes.TrimRight(data, "\r")
	if i := bytes.LastIndexByte(text, '\r'); i >= 0 || t.over && len(text) > 0 {
		t.carry, t.cut, text = t.carry[:0], false, text[i+1:]
	}
	t.over = t.over && len(text) == 0 || bytes.HasSuffix(data, []byte("\r"))
	if t.cut {
		return
	}
	if room := t.longest - len(t.carry); len(text) > room {
		text, t.cut = text[:room], true
	}
	t.carry = append(t.carry, text...)
}

// line is the line that has no end yet, as far as it came.
func (t *tail) line() string {
	if t.cut {
		return string(t.carry) + " …"
	}
	return string(t.carry)
}
