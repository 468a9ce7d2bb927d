package planfile

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// frontText edits the frontmatter of a text.
type frontText struct {
	front frontmatter
	text  string
}

// quoted returns text as a double-quoted scalar: YAML knows Go's escapes.
func quoted(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "�")) }

// offset returns where a node begins. Columns count characters.
func (t frontText) offset(n *yaml.Node) int {
	at := t.front.starts[n.Line] // a line of YAML is one line further in the file
	for range n.Column - 1 {
		_, size := firstRune(t.text[at:])
		at += size
	}
	return at
}

func firstRune(s string) (string, int) {
	for i := range s {
		if i > 0 {
			return s[:i], i
		}
	}
	return s, len(s)
}

// closing returns the offset of the line that ends the frontmatter.
func (t frontText) closing() int { return t.front.starts[t.front.lines-1] }

// lineEnd returns where the line at an offset ends, before its line break.
func (t frontText) lineEnd(at int) int {
	if n := strings.IndexByte(t.text[at:], '\n'); n >= 0 {
		at += n
		if strings.HasSuffix(t.text[:at], "\r") {
			at--
		}
		return at
	}
	return len(t.text)
}

// behind returns the offset after the last line of a key, without the comments
// and blank lines before the next one.
func (t frontText) behind(v frontValue) int {
	next := t.front.lines
	for _, other := range t.front.values {
		if other.line > v.line {
			next = min(next, other.line)
		}
	}
	return t.front.starts[t.trim(v.line, next)-1]
}

// trim removes blank lines and comments from the end of lines [from, to).
func (t frontText) trim(from, to int) int {
	for to > from+1 {
		s := strings.TrimSpace(t.text[t.front.starts[to-2]:t.front.starts[to-1]])
		if s != "" && s[0] != '#' {
			break
		}
		to--
	}
	return to
}

// setScalar writes the value of a key, which it adds if missing.
func (t frontText) setScalar(e *edits, key, value string) bool {
	v, ok := t.front.values[key]
	if !ok {
		e.about("front "+key, Edit{At: t.closing(), Text: key + ": " + value + t.front.end})
		return true
	}
	return t.overwrite(e, v.node, t.front.starts[v.line-1], value)
}

// overwrite replaces a scalar; an empty one is after the colon of its line.
func (t frontText) overwrite(e *edits, n *yaml.Node, start int, value string) bool {
	if n == nil || n.Kind != yaml.ScalarNode {
		return false
	}
	if n.Value == "" && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		colon := strings.IndexByte(t.text[start:t.lineEnd(start)], ':')
		if colon < 0 {
			return false
		}
		e.replace(start+colon+1, start+colon+1, " "+value)
		return true
	}
	at := t.offset(n)
	size := scalarSize(t.text[at:t.lineEnd(at)], n.Value)
	if size == 0 {
		return false
	}
	e.replace(at, at+size, value)
	return true
}

// scalarSize returns the length of the scalar that a text begins with, 0 if it
// does not end in its line.
func scalarSize(s, value string) int {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		if strings.HasPrefix(s, value) {
			return len(value)
		}
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0] && s[0] == '\'' && strings.HasPrefix(s[i+1:], "'"):
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return 0
}

// flowSize returns the length of the bracketed list that a text begins with, 0 if
// it does not end.
func flowSize(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			n := scalarSize(s[i:], "")
			if n == 0 {
				continue // an apostrophe within a word
			}
			i += n - 1
		}
	}
	return 0
}

// setList removes items from the list of a key and adds others, each the text of
// one block item without dash and indentation.
func (t frontText) setList(e *edits, key string, gone []int, added []string) bool {
	v, ok := t.front.values[key]
	switch {
	case !ok:
		e.about("front "+key, Edit{At: t.closing(), Text: key + ":" + t.front.end + t.block(added, "  ")})
		return true
	case v.none():
		return t.begin(e, v, 0, added)
	case v.node.Kind != yaml.SequenceNode:
		return false
	case v.node.Style&yaml.FlowStyle != 0:
		return t.setFlow(e, v, gone, added)
	}
	return t.setBlock(e, v, gone, added)
}

// block returns items as lines.
func (t frontText) block(items []string, space string) string {
	var b strings.Builder
	for _, item := range items {
		for i, l := range strings.Split(item, "\n") {
			mark := "- "
			if i > 0 {
				mark = "  "
			}
			b.WriteString(space + mark + l + t.front.end)
		}
	}
	return b.String()
}

// begin turns an empty list into a block: it replaces what follows the key, a
// list of size bytes or null.
func (t frontText) begin(e *edits, v frontValue, size int, added []string) bool {
	if len(added) == 0 {
		return true
	}
	at := t.front.starts[v.line-1]
	if v.node != nil && v.node.Line+1 != v.line {
		return false
	}
	if size == 0 {
		size = len(v.node.Value)
	}
	if size > 0 {
		from := t.offset(v.node)
		space := len(t.text[:from]) - len(strings.TrimRight(t.text[:from], " "))
		e.replace(from-space, from+size, "")
	}
	end := t.lineEnd(at)
	e.insert(end, t.front.end+strings.TrimSuffix(t.block(added, "  "), t.front.end))
	return true
}

// setFlow changes a list in brackets.
func (t frontText) setFlow(e *edits, v frontValue, gone []int, added []string) bool {
	at := t.offset(v.node)
	size := flowSize(t.text[at:t.closing()])
	if size == 0 {
		return false
	}
	if len(v.node.Content) == 0 {
		return t.begin(e, v, size, added)
	}
	inner := strings.TrimRight(t.text[at+1:at+size-1], " \t\r\n")
	if len(gone) > 0 {
		var kept []string
		for i, n := range v.node.Content {
			if !slices.Contains(gone, i) {
				kept = append(kept, quoted(itemText(n)))
			}
		}
		e.replace(at, at+size, "["+strings.Join(append(kept, flowed(added)...), ", ")+"]")
		return true
	}
	before := ", "
	if strings.HasSuffix(inner, ",") {
		before = " "
	}
	e.insert(at+1+len(inner), before+strings.Join(flowed(added), ", "))
	return true
}

// flowed returns block items as written in brackets.
func flowed(items []string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = item
		if first, second, ok := strings.Cut(item, "\n"); ok {
			out[i] = "{" + first + ", " + second + "}"
		}
	}
	return out
}

// setBlock changes a block list. One without items becomes empty brackets.
func (t frontText) setBlock(e *edits, v frontValue, gone []int, added []string) bool {
	items := v.node.Content
	end := t.behind(v)
	for _, i := range gone {
		from := items[i].Line + 1
		if !strings.HasPrefix(strings.TrimLeft(t.text[t.front.starts[from-1]:], " \t"), "-") {
			return false
		}
		to := end
		if i+1 < len(items) {
			to = t.front.starts[t.trim(from, items[i+1].Line+1)-1]
		}
		e.replace(t.front.starts[from-1], to, "")
	}
	if len(gone) == len(items) && len(added) == 0 {
		at := t.front.starts[v.line-1]
		colon := strings.IndexByte(t.text[at:t.lineEnd(at)], ':')
		e.insert(at+colon+1, " []")
		return colon >= 0
	}
	e.insert(end, t.block(added, strings.Repeat(" ", max(v.node.Column-1, 0))))
	return true
}

// itemText returns the text of a list item. YAML takes a sentence with a colon
// for a mapping.
func itemText(n *yaml.Node) string {
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		return n.Content[0].Value + ": " + n.Content[1].Value
	}
	return n.Value
}

// isText reports whether an item can be read as text.
func isText(n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		return n.Content[0].Kind == yaml.ScalarNode && n.Content[1].Kind == yaml.ScalarNode
	}
	return n.Kind == yaml.ScalarNode
}
