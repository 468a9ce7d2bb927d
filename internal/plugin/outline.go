package plugin

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// outline locates the sandbox's table and its roots in a TOML file.
type outline struct {
	// header is the offset after the line of the table's header, -1 without one.
	header int
	// array is the value of writable_roots, nil without one.
	array *container
}

// findOutline takes the offsets of keys and values from the parser and searches
// brackets and commas between them.
func findOutline(text []byte) (outline, error) {
	o := outline{header: -1}
	p := unstable.Parser{}
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			names, last := keys(e)
			table = names
			if e.Kind == unstable.Table && slices.Equal(table, []string{sandbox}) {
				o.header = last + upTo(text[last:], "\n")
			}
		case unstable.KeyValue:
			names, last := keys(e)
			if e.Value().Kind == unstable.Array && slices.Equal(append(slices.Clone(table), names...), []string{sandbox, roots}) {
				array, err := arrayAt(text, last, e.Value())
				if err != nil {
					return o, err
				}
				o.array = &array
			}
		}
	}
	return o, p.Error()
}

// keys returns the parts of a name, and the offset after the last one.
func keys(e *unstable.Node) (names []string, last int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		names = append(names, string(n.Data))
		last = int(n.Raw.Offset + n.Raw.Length)
	}
	return names, last
}

// arrayAt returns the array after a key. Codex reads only strings in it.
func arrayAt(text []byte, key int, value *unstable.Node) (container, error) {
	c := container{text: text, close: len(text), hash: true}
	open := bytes.IndexByte(text[key:], '[')
	if open < 0 {
		return c, fmt.Errorf("%s: no array behind its name", roots)
	}
	c.open = key + open
	at := c.open + 1
	for it := value.Children(); it.Next(); {
		n := it.Node()
		if n.Kind != unstable.String {
			return c, fmt.Errorf("%s holds a value that is not text", roots)
		}
		c.items = append(c.items, span{int(n.Raw.Offset), int(n.Raw.Offset + n.Raw.Length)})
		at = c.items[len(c.items)-1].to
	}
	if comma, is := c.commaAfter(at); is {
		at = comma + 1
	}
	if c.close = c.skip(at); c.close >= len(text) || text[c.close] != ']' {
		return c, fmt.Errorf("%s does not end where it should", roots)
	}
	return c, nil
}
