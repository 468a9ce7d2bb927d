package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// indexFile is an index as git wrote it, for comparisons with the files of its tree. The
// reader is ours, since that of go-git 5 knows one size of ids in a program: that of SHA-1, or that of
// SHA-256 by a build tag.
type indexFile struct {
	data    []byte
	mtime   time.Time
	entries []indexed
	// odd: it has entries that no plain file of the tree stands for: conflicts,
	// submodules, files marked or left out.
	odd bool
}

// indexed is one entry: its path with slashes, and the part of fixed size as it is in
// the file.
type indexed struct {
	path string
	raw  []byte
}

// The part of fixed size: ten numbers of four bytes, the id of the content, the flags.
const (
	atCTime, atMTime, atInode, atMode, atSize, atID = 0, 8, 20, 24, 36, 40

	flagMarked, flagMore, flagStage = 0x8000, 0x4000, 0x3000
	modeFile, modeLink, modeKind    = 0o100000, 0o120000, 0o170000
)

func (e indexed) number(at int) uint32 { return binary.BigEndian.Uint32(e.raw[at:]) }

// times are the times of change and of modification that git recorded, in seconds and
// nanoseconds.
func (e indexed) times() [4]uint32 {
	return [4]uint32{e.number(atCTime), e.number(atCTime + 4), e.number(atMTime), e.number(atMTime + 4)}
}

// errIndexFormat is returned for an index that only git can read.
var errIndexFormat = errors.New("an index of another format")

// readIndex reads the index of a worktree whose ids have that many bytes.
func readIndex(gitDir string, idSize int) (indexFile, error) {
	file := filepath.Join(gitDir, "index")
	st, err := os.Lstat(file)
	if err != nil {
		return indexFile{}, err
	}
	if !st.Mode().IsRegular() {
		return indexFile{}, errIndexFormat
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return indexFile{}, err
	}
	x, err := parseIndex(data, idSize)
	x.mtime = st.ModTime()
	return x, err
}

// parseIndex reads versions 2 to 4 (gitformat-index). A split or sparse index is
// errIndexFormat.
func parseIndex(data []byte, idSize int) (indexFile, error) {
	x := indexFile{data: data}
	const header = 12
	fixed := atID + idSize + 2
	if len(data) < header+idSize || string(data[:4]) != "DIRC" {
		return x, errIndexFormat
	}
	version, n := binary.BigEndian.Uint32(data[4:]), int(binary.BigEndian.Uint32(data[8:]))
	body := data[:len(data)-idSize]
	if version < 2 || version > 4 || n > len(body)/fixed {
		return x, errIndexFormat
	}
	x.entries = make([]indexed, 0, n)
	text, at, before := string(body), header, ""
	for range n {
		e, next, ok := x.entry(text, at, fixed, version, before)
		if !ok || e.path <= before && before != "" && !x.odd {
			return x, errIndexFormat
		}
		x.entries, at, before = append(x.entries, e), next, e.path
	}
	return x, extensions(body[at:])
}

// entry reads one entry and returns where the next one begins.
func (x *indexFile) entry(text string, at, fixed int, version uint32, before string) (e indexed, next int, ok bool) {
	if at+fixed > len(text) {
		return e, 0, false
	}
	e.raw = x.data[at : at+fixed : at+fixed]
	flags, name := binary.BigEndian.Uint16(e.raw[fixed-2:]), at+fixed
	if flags&flagMore != 0 { // left out of a sparse checkout, or only meant to be added
		name += 2
	}
	prefix := ""
	if version == 4 {
		cut, after, ok := indexVarint(text, name)
		if !ok || cut > len(before) {
			return e, 0, false
		}
		name, prefix = after, before[:len(before)-cut]
	}
	if name > len(text) {
		return e, 0, false
	}
	length := strings.IndexByte(text[name:], 0)
	if length < 0 {
		return e, 0, false
	}
	e.path = text[name : name+length]
	next = name + length + 1
	if version == 4 {
		e.path = prefix + e.path
	} else {
		next = at + (name+length-at+8)&^7
	}
	kind := e.number(atMode) & modeKind
	x.odd = x.odd || flags&(flagMarked|flagMore|flagStage) != 0 || kind != modeFile && kind != modeLink
	return e, next, e.path != "" && next <= len(text)
}

// indexVarint reads how much of the path before is left out of the next one.
func indexVarint(text string, at int) (value, next int, ok bool) {
	for ; at < len(text) && value < 1<<24; at++ {
		value = value<<7 | int(text[at]&0x7f)
		if text[at]&0x80 == 0 {
			return value, at + 1, true
		}
		value++
	}
	return 0, 0, false
}

// extensions refuses those without which the entries do not mean what they say.
func extensions(rest []byte) error {
	for len(rest) > 0 {
		if len(rest) < 8 || rest[0] < 'A' || rest[0] > 'Z' {
			return errIndexFormat
		}
		size := int(binary.BigEndian.Uint32(rest[4:]))
		if size > len(rest)-8 {
			return errIndexFormat
		}
		rest = rest[8+size:]
	}
	return nil
}

// changedSince returns the paths whose entry is another one than in x, or that only one
// of the two has.
func (x indexFile) changedSince(now indexFile) (paths []string) {
	i, j := 0, 0
	for i < len(x.entries) || j < len(now.entries) {
		switch {
		case j == len(now.entries) || i < len(x.entries) && x.entries[i].path < now.entries[j].path:
			paths = append(paths, x.entries[i].path)
			i++
		case i == len(x.entries) || x.entries[i].path > now.entries[j].path:
			paths = append(paths, now.entries[j].path)
			j++
		default:
			if !bytes.Equal(x.entries[i].raw, now.entries[j].raw) {
				paths = append(paths, x.entries[i].path)
			}
			i, j = i+1, j+1
		}
	}
	return paths
}
