package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/text"
)

// fields is an object of a foreign file. It records which keys were read: the
// others are lost. A key has several names where versions of a runner differ.
type fields struct {
	at   string // where it stands in the file, ending in a dot; empty is the top
	m    map[string]any
	read map[string]bool
	lost *losses
}

func newFields(at string, m map[string]any, lost *losses) fields {
	return fields{at, m, map[string]bool{}, lost}
}

// value returns the first that is present and not null. All the names count as
// read.
func (f fields) value(names ...string) (found any) {
	for _, n := range names {
		f.read[n] = true
		if v, ok := f.m[n]; ok && v != nil && found == nil {
			found = v
		}
	}
	return found
}

// wrong reports a value that makes no sense.
func (f fields) wrong(name, why string) { f.lost.add(f.at+name, "%s", why) }

// mostText bounds a text, such as a prompt.
const mostText = 64 << 10

func (f fields) text(names ...string) string {
	switch v := f.value(names...).(type) {
	case nil:
		return ""
	case string:
		if len(v) > mostText {
			f.wrong(names[0], "longer than 64 KiB, the rest is cut off")
			v = v[:mostText]
		}
		return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(v, "\x00", ""), "\uFFFD"))
	case json.Number:
		return v.String()
	default:
		f.wrong(names[0], "is not text")
		return ""
	}
}

// word reads a short text on one line, in lower case: a status, a reason.
func (f fields) word(names ...string) string { return strings.ToLower(text.Clip(f.text(names...), 60)) }

// mostCount is far above any number of iterations.
const mostCount = 1_000_000

// whole reads a count. Anything that is not a whole number in range is unknown.
func (f fields) whole(names ...string) int {
	v := f.number(names...)
	switch {
	case v == nil:
		return 0
	case *v < 0 || *v > mostCount || *v != math.Trunc(*v):
		f.wrong(names[0], "is not a count")
		return 0
	}
	return int(*v)
}

func (f fields) number(names ...string) *float64 {
	text := ""
	switch v := f.value(names...).(type) {
	case nil:
		return nil
	case json.Number:
		text = v.String()
	case string:
		text = v
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		f.wrong(names[0], "is not a number")
		return nil
	}
	return &n
}

func (f fields) flag(names ...string) (is, known bool) {
	v := f.value(names...)
	is, known = v.(bool)
	if v != nil && !known {
		f.wrong(names[0], "is neither true nor false")
	}
	return is, known
}

func (f fields) list(names ...string) []any {
	v := f.value(names...)
	list, ok := v.([]any)
	if v != nil && !ok {
		f.wrong(names[0], "is not a list")
	}
	return list
}

// texts reads the texts in a list, at most n.
func (f fields) texts(n int, names ...string) (out []string) {
	for _, v := range f.list(names...) {
		if s, ok := v.(string); ok && len(out) < n {
			out = append(out, text.Clip(s, 500))
		}
	}
	return out
}

// object returns a nested object; empty without one.
func (f fields) object(names ...string) fields {
	v := f.value(names...)
	m, ok := v.(map[string]any)
	if v != nil && !ok {
		f.wrong(names[0], "is not an object")
	}
	return newFields(f.at+names[0]+".", m, f.lost)
}

// when reads a time, as text or in milliseconds since 1970. A time before 2000 or
// after 2200 is unknown.
func (f fields) when(names ...string) time.Time {
	v := f.value(names...)
	var t time.Time
	switch v := v.(type) {
	case nil:
		return t
	case string:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04:05Z07:00", time.DateOnly} {
			if at, err := time.Parse(layout, v); err == nil {
				t = at
				break
			}
		}
	case json.Number:
		if ms, err := strconv.ParseFloat(v.String(), 64); err == nil && ms > 0 && ms < 1e13 {
			t = time.UnixMilli(int64(ms))
		}
	}
	if t.Year() < 2000 || t.Year() > 2200 {
		f.wrong(names[0], "is not a time")
		return time.Time{}
	}
	return t.UTC()
}

// rest reports the keys that were not read and are not empty.
func (f fields) rest(why string) {
	for _, k := range slices.Sorted(maps.Keys(f.m)) {
		if !f.read[k] && !empty(f.m[k]) {
			f.lost.add(f.at+k, "%s", why)
		}
	}
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, inner := range v {
			if !empty(inner) {
				return false
			}
		}
		return true
	}
	return false
}

// object reads a file with one JSON object and nothing after it. A file that is cut
// off, or was written twice, is refused with its line.
func object(data []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &Error{Why: "is empty"}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return nil, broken(data, err)
	}
	if rest := bytes.TrimLeft(data[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, &Error{Line: lineAt(data, int64(len(data)-len(rest)+1)), Why: "something follows the end of the object"}
	}
	if m == nil {
		return nil, &Error{Line: 1, Why: "is not a JSON object but null"}
	}
	return m, nil
}

// broken returns an error of the decoder with its line.
func broken(data []byte, err error) *Error {
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &Error{Line: lineAt(data, s.Offset), Why: "is not valid JSON: " + s.Error()}
	}
	if u, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &Error{Line: lineAt(data, u.Offset), Why: "is not a JSON object but of type " + u.Value}
	}
	return &Error{Line: lineAt(data, int64(len(bytes.TrimRight(data, "\r\n")))), Why: "ends in the middle"}
}

// lineAt returns the line of the last of the first n bytes.
func lineAt(data []byte, n int64) int {
	n = min(max(n-1, 0), int64(len(data)))
	return 1 + bytes.Count(data[:n], []byte("\n"))
}
