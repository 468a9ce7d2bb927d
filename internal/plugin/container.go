package plugin

import (
	"bytes"
	"strings"
)

// container is a JSON object or array, or a TOML array, as offsets into its
// text: something between two brackets, separated by commas.
type container struct {
	text        []byte
	open, close int // of the brackets
	items       []span
	// hash: comments begin with #, as in TOML; else with // and /*.
	hash bool
}

// span is an item without the space around it.
type span struct{ from, to int }

// with returns the text with one more item at the end. written formats the item
// for its indentation; "" is for a container on one line.
func (c container) with(written func(indent string) string, unit string) []byte {
	if len(c.items) == 0 {
		return c.withFirst(written, unit)
	}
	last := c.items[len(c.items)-1]
	comma, trailing := c.commaAfter(last.to)
	if !bytes.ContainsRune(c.spacing(), '\n') {
		if trailing {
			return splice(c.text, comma+1, comma+1, " "+written("")+",")
		}
		return splice(c.text, last.to, last.to, ", "+written(""))
	}
	indent := c.indentOf(last.from, unit)
	item, from := written(indent), last.to
	if trailing {
		item, from = item+",", comma+1
	}
	at := c.lineEnd(from)
	text := newline(c.text) + indent + item
	if at == c.close {
		text += newline(c.text) + c.lineIndent(c.open)
	}
	out := splice(c.text, at, at, text)
	if !trailing {
		out = splice(out, last.to, last.to, ",")
	}
	return out
}

// withFirst puts an item into an empty container.
func (c container) withFirst(written func(indent string) string, unit string) []byte {
	if c.hash && c.close == c.open+1 {
		return splice(c.text, c.close, c.close, written(""))
	}
	outer := c.lineIndent(c.open)
	item := newline(c.text) + outer + unit + written(outer+unit)
	at := c.close
	for next := c.lineEnd(c.open + 1); next < c.close; next = c.lineEnd(next + len(newline(c.text[next:]))) {
		at = next
	}
	if at == c.close {
		item += newline(c.text) + outer
	}
	return splice(c.text, at, at, item)
}

// without returns the text without one item, its comma, and the line break
// before it. Comments stay.
func (c container) without(i int) []byte {
	item := c.items[i]
	from, to := c.spaceBefore(item.from), item.to
	comma, own := c.commaAfter(item.to)
	if own {
		to = comma + 1
	}
	if len(c.items) == 1 {
		out := splice(c.text, from, to, "")
		shut := c.close - (to - from)
		if len(bytes.TrimSpace(out[c.open+1:shut])) == 0 {
			out = splice(out, c.open+1, shut, "")
		}
		return out
	}
	if from == c.open+1 { // the first one on the bracket's line
		to += len(c.text[to:]) - len(bytes.TrimLeft(c.text[to:], " \t"))
	}
	out := splice(c.text, from, to, "")
	if i == len(c.items)-1 && !own {
		comma, _ = c.commaAfter(c.items[i-1].to)
		out = splice(out, comma, comma+1, "")
	}
	return out
}

// empty reports whether it holds neither items nor comments.
func (c container) empty() bool {
	return len(c.items) == 0 && len(bytes.TrimSpace(c.text[c.open+1:c.close])) == 0
}

// spacing returns the bytes before and between the items.
func (c container) spacing() []byte {
	var all []byte
	from := c.open + 1
	for _, i := range c.items {
		all = append(all, c.text[from:i.from]...)
		from = i.to
	}
	return append(all, c.text[from:c.close]...)
}

// commaAfter finds the comma after an item.
func (c container) commaAfter(at int) (int, bool) {
	at = c.skip(at)
	return at, at < c.close && c.text[at] == ','
}

// skip passes space and comments.
func (c container) skip(at int) int {
	for at < c.close {
		rest := c.text[at:c.close]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			at++
		case c.lineComment(rest):
			at += upTo(rest, "\n")
		case c.blockComment(rest):
			at += 2 + upTo(rest[2:], "*/")
		default:
			return at
		}
	}
	return at
}

// lineEnd returns the end of the line at an offset, after its comments and before
// the line feed, or the closing bracket.
func (c container) lineEnd(at int) int {
	for at < c.close {
		rest := c.text[at:c.close]
		switch {
		case rest[0] == '\n':
			if c.text[at-1] == '\r' {
				return at - 1
			}
			return at
		case c.lineComment(rest):
			at += upTo(rest, "\n") - 1
			if rest[upTo(rest, "\n")-1] != '\n' {
				at++
			}
		case c.blockComment(rest):
			at += 2 + upTo(rest[2:], "*/")
		default:
			at++
		}
	}
	return c.close
}

func (c container) lineComment(rest []byte) bool {
	return c.hash && rest[0] == '#' || !c.hash && bytes.HasPrefix(rest, []byte("//"))
}

func (c container) blockComment(rest []byte) bool {
	return !c.hash && bytes.HasPrefix(rest, []byte("/*"))
}

// upTo returns the number of bytes up to the end of a mark, or of the text.
func upTo(text []byte, mark string) int {
	if i := bytes.Index(text, []byte(mark)); i >= 0 {
		return i + len(mark)
	}
	return len(text)
}

// indentOf returns the space before an item that begins its line, or the usual
// indentation.
func (c container) indentOf(at int, unit string) string {
	line := c.text[bytes.LastIndexByte(c.text[:at], '\n')+1 : at]
	if len(bytes.TrimLeft(line, " \t")) == 0 {
		return string(line)
	}
	return c.lineIndent(c.open) + unit
}

// lineIndent returns the space that the line of an offset begins with.
func (c container) lineIndent(at int) string {
	line := c.text[bytes.LastIndexByte(c.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// spaceBefore returns where the space before an item begins, with at most one
// line break.
func (c container) spaceBefore(at int) int {
	at = len(bytes.TrimRight(c.text[:at], " \t"))
	if at > 0 && c.text[at-1] == '\n' {
		at--
		if at > 0 && c.text[at-1] == '\r' {
			at--
		}
	}
	return max(at, c.open+1)
}
