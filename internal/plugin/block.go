package plugin

import (
	"bytes"
	"fmt"
	"strings"
)

// block is a passage of a text between two markers.
type block struct{ text string }

const (
	begin = "<!-- ralph:begin -->"
	end   = "<!-- ralph:end -->"
)

// add replaces the passage in place, or appends it.
func (b block) add(old []byte) ([]byte, []string, error) {
	passage := withLineEnds(begin+"\n"+b.text+end+"\n", old)
	from, to, err := marked(old)
	switch {
	case err != nil:
		return nil, nil, err
	case from >= 0:
		return splice(old, from, to, passage), nil, nil
	}
	return append(bytes.Clone(old), gap(old)+passage...), nil, nil
}

func (b block) remove(old, before []byte) ([]byte, []string, error) {
	from, to, err := marked(old)
	if err != nil || from < 0 {
		return old, nil, err
	}
	rest := splice(old, from, to, "")
	if to == len(old) && gap(rest) == "" && (len(before) == 0 || gap(before) != "") {
		// The empty line before it was added with it.
		rest = rest[:from-len(lastLine(rest[:from]))]
	}
	if len(rest) == 0 {
		return nil, nil, nil
	}
	return rest, nil, nil
}

// marked returns the offsets of the passage with its markers; -1 without one.
func marked(text []byte) (from, to int, err error) {
	from = bytes.Index(text, []byte(begin))
	last := bytes.Index(text, []byte(end))
	if from < 0 && last < 0 {
		return -1, -1, nil
	}
	if from < 0 || last < from || bytes.Count(text, []byte(begin)) > 1 || bytes.Count(text, []byte(end)) > 1 {
		at := max(from, last)
		return 0, 0, fmt.Errorf("line %d: %s and %s do not enclose one passage; fix them by hand", 1+bytes.Count(text[:at], []byte("\n")), begin, end)
	}
	to = last + len(end)
	if n := bytes.IndexByte(text[to:], '\n'); n >= 0 && len(bytes.TrimSpace(text[to:to+n])) == 0 {
		to += n + 1
	}
	return from, to, nil
}

// gap returns what separates a text from an appended passage: the end of its last
// line and an empty line.
func gap(text []byte) string {
	nl := newline(text)
	switch {
	case len(text) == 0 || len(lastLine(text)) > 0 && len(bytes.TrimSpace(lastLine(text))) == 0:
		return ""
	case text[len(text)-1] != '\n':
		return nl + nl
	}
	return nl
}

// lastLine returns the last line with its line break.
func lastLine(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	return text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
}

// newline returns the line break that a text uses.
func newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if bytes.HasSuffix(text, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// withLineEnds gives a text the line breaks of another.
func withLineEnds(text string, as []byte) string { return strings.ReplaceAll(text, "\n", newline(as)) }

// splice returns text with the bytes between two offsets replaced.
func splice(text []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(text)-(to-from)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}

// whole is a file in ralph's own folder.
type whole struct{ text []byte }

func (w whole) add([]byte) ([]byte, []string, error) { return w.text, nil, nil }

func (w whole) remove(_, _ []byte) ([]byte, []string, error) { return nil, nil, nil }

// absent is a file in that folder that an older ralph installed.
type absent struct{}

func (absent) add([]byte) ([]byte, []string, error) { return nil, nil, nil }

func (absent) remove(_, _ []byte) ([]byte, []string, error) { return nil, nil, nil }
