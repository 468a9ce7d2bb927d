package secret

import (
	"sort"
	"strings"

	"ralph/internal/text"
)

// view is a line in the form in which it is read: without its invisible parts, or
// with its escapes decoded. It knows where its bytes stand in the line.
type view struct {
	text  string
	bends []bend
}

// bend is a place of a view from which on its offsets differ by another number. The
// byte before it ends at before in the line, the one after it begins at after.
type bend struct{ at, before, after int }

// raw returns where a span of the view stands in the line.
func (v view) raw(s span) span {
	s.start, s.end = v.start(s.start), v.end(s.end)
	return s
}

func (v view) start(at int) int {
	n := sort.Search(len(v.bends), func(i int) bool { return v.bends[i].at > at })
	return v.behind(n, at)
}

func (v view) end(at int) int {
	n := sort.Search(len(v.bends), func(i int) bool { return v.bends[i].at >= at })
	if n < len(v.bends) && v.bends[n].at == at {
		return v.bends[n].before
	}
	return v.behind(n, at)
}

// behind returns the place in the line of one that follows the first n bends.
func (v view) behind(n, at int) int {
	if n == 0 {
		return at
	}
	b := v.bends[n-1]
	return b.after + at - b.at
}

// viewer writes a view of a line.
type viewer struct {
	line   string
	out    strings.Builder
	bends  []bend
	copied int
}

// put writes a text in the place of the bytes from start to end, which are behind
// those of the call before.
func (w *viewer) put(start, end int, instead string) {
	w.out.WriteString(w.line[w.copied:start])
	w.out.WriteString(instead)
	w.copied = end
	at, before := w.out.Len(), start
	if instead != "" {
		before = end
	}
	if n := len(w.bends); n > 0 && w.bends[n-1].at == at {
		w.bends[n-1].after = end
		return
	}
	w.bends = append(w.bends, bend{at, before, end})
}

// view returns false where nothing was put.
func (w *viewer) view() (view, bool) {
	if w.copied == 0 {
		return view{text: w.line}, false
	}
	w.out.WriteString(w.line[w.copied:])
	return view{w.out.String(), w.bends}, true
}

// seen returns a line without its invisible parts, and false where it has none.
func seen(line string) (view, bool) {
	w := viewer{line: line}
	for start, end := range text.Invisible(line) {
		w.put(start, end, "")
	}
	return w.view()
}

// visible returns a text without its invisible parts.
func visible(s string) string {
	v, _ := seen(s)
	return v.text
}
