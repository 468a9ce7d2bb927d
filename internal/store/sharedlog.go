package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// sharedLog is the event bus in a file of the user's own tree (seed 000's
// docs/09-agents/bus/log.jsonl), where other programs may write lines too. It is
// only ever appended to: nothing of others is cut off, moved or written over.
// The watermark is the last whole line of ours, wherever it stands.
type sharedLog struct {
	root  *os.Root // the main tree
	name  string
	pos   int64
	fresh bool
	// torn: the file does not end with a whole line; torn lines are not
	// repaired.
	torn  bool
	lines bytes.Buffer
}

// mostLooked bounds how far from its end the file is searched for a line of
// ours.
const mostLooked = 64 << 20

// openShared examines the file in root, which is closed with the log. It creates
// nothing; a path that could lead elsewhere is an *UnsafeError.
func openShared(root *os.Root, name string) (*sharedLog, error) {
	l := &sharedLog{root: root, name: name, fresh: true}
	fi, err := l.look()
	if err != nil || fi == nil {
		return l, err
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := sameFile(f, fi, name); err != nil {
		return nil, err
	}
	if l.pos, l.torn, err = lastOwn(f, fi.Size()); err != nil {
		return nil, err
	}
	l.fresh = l.pos == 0
	return l, nil
}

// look returns nil if the file does not exist yet. No folder on the way may be a
// link, nor the file.
func (l *sharedLog) look() (fs.FileInfo, error) {
	parts := strings.Split(l.name, "/")
	for i := range parts {
		at := path.Join(parts[:i+1]...)
		fi, err := l.root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case i < len(parts)-1 && !fi.IsDir():
			return nil, &UnsafeError{at, "is no directory; the event bus is not written through it"}
		case i == len(parts)-1 && !fi.Mode().IsRegular():
			return nil, &UnsafeError{at, "is no regular file; the event bus is not written to it"}
		case i == len(parts)-1:
			return fi, nil
		}
	}
	return nil, nil
}

// sameFile reports whether the opened file is the examined one.
func sameFile(f *os.File, fi fs.FileInfo, name string) error {
	now, err := f.Stat()
	if err == nil && !os.SameFile(now, fi) {
		err = &UnsafeError{name, "was exchanged while it was opened"}
	}
	return err
}

// lastOwn finds the last whole line of ours, looking at more and more of the
// file's end.
func lastOwn(f io.ReaderAt, size int64) (pos int64, torn bool, err error) {
	for n := min(size, tailSize); n > 0; n = min(2*n, size, mostLooked) {
		tail := make([]byte, n)
		if _, err := f.ReadAt(tail, size-n); err != nil {
			return 0, false, err
		}
		torn = tail[n-1] != '\n'
		if pos := ownIn(tail, n == size); pos > 0 || n == size || n == mostLooked {
			return pos, torn, nil
		}
	}
	return 0, false, nil
}

// ownIn searches whole lines from the end. The first one may be cut off, unless
// the text is all there is.
func ownIn(text []byte, all bool) int64 {
	end := bytes.LastIndexByte(text, '\n')
	for end >= 0 {
		begin := bytes.LastIndexByte(text[:end], '\n') + 1
		if begin == 0 && !all {
			return 0
		}
		if pos := ownPos(text[begin:end]); pos > 0 {
			return pos
		}
		end = begin - 1
	}
	return 0
}

// ownPos is the position of a line that ralph wrote. Another program's lines of
// the same type have none.
func ownPos(line []byte) int64 {
	if !bytes.Contains(line, []byte(`"pos":`)) {
		return 0
	}
	var l struct {
		Type  string
		Epoch *int64
		Pos   int64
	}
	if json.Unmarshal(line, &l) != nil || l.Type != busType || l.Epoch == nil || l.Pos < 0 {
		return 0
	}
	return l.Pos
}

func (l *sharedLog) mark() (pos int64, fresh bool) { return l.pos, l.fresh }

func (l *sharedLog) forget() { l.pos, l.fresh = 0, true }

func (l *sharedLog) discard() { _ = l.root.Close() }

// Write collects lines; a long history goes out in pieces.
func (l *sharedLog) Write(p []byte) (int, error) {
	l.lines.Write(p)
	if l.lines.Len() > flushAt {
		return len(p), l.commit()
	}
	return len(p), nil
}

// commit appends what was collected in one call. A line that was cut off by a
// full disk is left to be closed, and written again, by the next writer.
func (l *sharedLog) commit() error {
	if l.lines.Len() == 0 {
		return nil
	}
	if err := l.root.MkdirAll(path.Dir(l.name), 0o755); err != nil {
		return err
	}
	before, err := l.look()
	if err != nil {
		return err
	}
	f, err := l.root.OpenFile(l.name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if before == nil { // Made just now; a link that was put there is not it.
		before, err = l.root.Lstat(l.name)
	}
	if err == nil {
		err = sameFile(f, before, l.name)
	}
	if err == nil && l.torn {
		_, err = f.WriteString("\n")
	}
	if err == nil {
		l.torn = false
		_, err = l.lines.WriteTo(f)
	}
	return errors.Join(err, f.Close())
}
