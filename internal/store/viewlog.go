package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
)

// viewLog is log.jsonl while it is written. New lines go to the end in a single
// write; a log that is missing or not ours is written under another name first.
type viewLog struct {
	root  *os.Root
	pos   int64 // of the last event in it
	fresh bool  // nothing of it can be kept
	lines bytes.Buffer
	tmp   *os.File
	size  int64 // of the whole lines
	most  int64 // that size may become
}

const logName, logTemp = "log.jsonl", "log.jsonl.tmp"

// tailSize is how much of the log's end is read to find its last line.
const tailSize = 1 << 16

// logMost is how large the log becomes before it is put aside: a year of nights
// must not end up in one file that every commit opens.
const (
	logMost = 16 << 20
	logOld  = logName + ".1"
)

// flushAt bounds the memory of a rebuild.
const flushAt = 1 << 20

func openLog(root *os.Root, anew bool, most int64) (*viewLog, error) {
	l := &viewLog{root: root, fresh: true, most: most}
	if anew {
		return l, nil
	}
	fi, err := root.Lstat(logName)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !fi.Mode().IsRegular() {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := root.Open(logName)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	tail := make([]byte, min(fi.Size(), tailSize))
	if _, err := f.ReadAt(tail, fi.Size()-int64(len(tail))); err != nil {
		return nil, err
	}
	whole, pos := lastPos(tail)
	if pos > 0 {
		l.pos, l.fresh, l.size = pos, false, fi.Size()-int64(len(tail)-whole)
	}
	return l, nil
}

// lastPos is the position in the last whole line, and where that line ends; 0 if
// it is not one of ours.
func lastPos(tail []byte) (whole int, pos int64) {
	whole = bytes.LastIndexByte(tail, '\n') + 1
	if whole == 0 {
		return 0, 0
	}
	line := tail[bytes.LastIndexByte(tail[:whole-1], '\n')+1 : whole]
	var l struct{ Pos int64 }
	if json.Unmarshal(line, &l) != nil || l.Pos < 0 {
		return whole, 0
	}
	return whole, l.Pos
}

func (l *viewLog) mark() (pos int64, fresh bool) { return l.pos, l.fresh }

// forget begins a new log.
func (l *viewLog) forget() { l.pos, l.fresh = 0, true }

// Write collects lines.
func (l *viewLog) Write(p []byte) (int, error) {
	l.lines.Write(p)
	if l.fresh && l.lines.Len() > flushAt {
		return len(p), l.flush()
	}
	return len(p), nil
}

// flush moves the collected lines to the new log, which no reader sees yet.
func (l *viewLog) flush() (err error) {
	if l.tmp == nil {
		if err := l.root.RemoveAll(logTemp); err != nil {
			return err
		}
		if l.tmp, err = l.root.OpenFile(logTemp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return err
		}
	}
	_, err = l.lines.WriteTo(l.tmp)
	return err
}

// commit makes the lines part of the log.
func (l *viewLog) commit() error {
	if l.fresh {
		if err := l.flush(); err != nil {
			return err
		}
		return l.root.Rename(logTemp, logName)
	}
	if l.size > 0 && l.size+int64(l.lines.Len()) > l.most {
		return l.turn()
	}
	f, err := l.root.OpenFile(logName, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(l.size); err != nil {
		return err
	}
	if _, err := f.WriteAt(l.lines.Bytes(), l.size); err != nil {
		return errors.Join(err, f.Truncate(l.size))
	}
	return nil
}

// turn rotates a log that has grown too large. At every instant there is a log
// whose last line is the watermark: the new one takes the name that the old one
// has kept until then.
func (l *viewLog) turn() error {
	if l.lines.Len() == 0 {
		return nil // the last line has to stand somewhere
	}
	if err := l.flush(); err != nil {
		return err
	}
	if err := l.root.Remove(logOld); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if l.root.Link(logName, logOld) != nil {
		// A file system without links: for an instant there is no log, and a
		// crash in that instant leaves the log to be written anew.
		if err := l.root.Rename(logName, logOld); err != nil {
			return err
		}
	}
	return l.root.Rename(logTemp, logName)
}

func (l *viewLog) discard() {
	if l.tmp != nil {
		_ = l.tmp.Close()
	}
}
