package plugin

import (
	"bytes"
	"fmt"
	"strings"
)

// block is a passage of a text for people, between two markers.
type block struct{ text string }

const (
	begin = "<!-- ralph:begin -->"
	end   = "<!-- ralph:end -->"
)

// add replaces the passage where it stands, or puts it at the end.
func (b block) add(old []byte) ([]byte, []string, error) {
	passage := lined(begin+"\n"+b.text+end+"\n", old)
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
		// The empty line before it was put there with it.
		rest = rest[:from-len(lastLine(rest[:from]))]
	}
	if len(rest) == 0 {
		return nil, nil, nil
	}
	return rest, nil, nil
}

// marked finds the passage with its markers and their line; -1 without one.
func marked(text []byte) (from, to int, err error) {
	from = bytes.Index(text, []byte(begin))
	last := bytes.Index(text, []byte(end))
	if from < 0 && last < 0 {
		return -1, -1, nil
	}
	if from < 0 || last < from || bytes.Count(text, []byte(begin)) > 1 || bytes.Count(text, []byte(end)) > 1 {
		at := max(from, last)
		return 0, 0, fmt.Errorf("line %d: %s and %s do not stand around one passage; put them right by hand", 1+bytes.Count(text[:at], []byte("\n")), begin, end)
	}
	to = last + len(end)
	if n := bytes.IndexByte(text[to:], '\n'); n >= 0 && len(bytes.TrimSpace(text[to:to+n])) == 0 {
		to += n + 1
	}
	return from, to, nil
}

// gap is what must stand between a text and what is put behind it: an empty
// line, and the end of its last one.
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

// lastLine is the last line with its end.
func lastLine(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	return text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
}

// newline is how the lines of a text end.
func newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if bytes.HasSuffix(text, []byte("\r")) {
		return "\r\n"
	}
	return "\n"
}

// lined gives a text the line ends of another.
func lined(text string, as []byte) string { return strings.ReplaceAll(text, "\n", newline(as)) }

// splice is text with what stands between two offsets replaced.
func splice(text []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(text)-(to-from)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}

// whole is a file in a folder of ralph's own.
type whole struct{ text []byte }

func (w whole) add([]byte) ([]byte, []string, error) { return w.text, nil, nil }

func (w whole) remove(_, _ []byte) ([]byte, []string, error) { return nil, nil, nil }

// absent is a file in such a folder that an older ralph has put there.
type absent struct{}

func (absent) add([]byte) ([]byte, []string, error) { return nil, nil, nil }

func (absent) remove(_, _ []byte) ([]byte, []string, error) { return nil, nil, nil }
