package planfile

import (
	"bytes"
	"encoding/json"
	"strings"
)

// encoded is a value as JSON, in the letters that people write.
func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // text, numbers, and lists and maps of them
	return strings.TrimSuffix(b.String(), "\n")
}

// fieldOf is a field that an object does not have yet.
type fieldOf struct {
	object int // where it begins
	name   string
}

// setField writes a field of an object: over its value, or behind the last
// field, spaced as that one is.
func (e *edits) setField(text string, o node, name string, value any) {
	raw := encoded(value)
	if f, ok := o.find(name); ok {
		e.replace(f.node.start, f.node.end, raw)
		return
	}
	at, before, colon := o.start+1, "", ": "
	if n := len(o.fields); n > 0 {
		last := o.fields[n-1]
		at, colon = last.node.end, text[last.end:last.node.start]
		before = "," + gap(text, o.start+1, last.start)
		if n > 1 {
			before = "," + gap(text, o.fields[n-2].node.end, last.start)
		}
	}
	e.about(fieldOf{o.start, name}, Edit{At: at, Text: before + encoded(name) + colon + raw})
}

// addItem puts a value behind the last one of a list, which there is.
func (e *edits) addItem(text string, l node, value any) {
	n := len(l.items)
	before := gap(text, l.start+1, l.items[0].start)
	if n > 1 {
		before = gap(text, l.items[n-2].end, l.items[n-1].start)
	} else if before == "" {
		before = " "
	}
	e.insert(l.items[n-1].end, ","+before+encoded(value))
}

// removeItems takes items out of a list, with the commas that they leave over.
func (e *edits) removeItems(l node, gone []int) {
	for len(gone) > 0 {
		n := 1
		for n < len(gone) && gone[n] == gone[0]+n {
			n++
		}
		first, last := gone[0], gone[n-1]
		switch {
		case last+1 < len(l.items):
			e.replace(l.items[first].start, l.items[last+1].start, "")
		case first > 0:
			e.replace(l.items[first-1].end, l.items[last].end, "")
		default:
			e.replace(l.start+1, l.end-1, "")
		}
		gone = gone[n:]
	}
}

// gap is the space between two things, without the comma.
func gap(text string, from, to int) string { return strings.Replace(text[from:to], ",", "", 1) }
