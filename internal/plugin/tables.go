package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// tables is ralph's share of Codex's config.toml: its tools as a table between two
// markers, and one entry among the writable roots of the sandbox.
type tables struct {
	server server
	// root is the path to be writable; "" is none.
	root string
}

// The markers around the table, and at the end of lines that are ralph's.
const (
	tableBegin = "# ralph:begin"
	tableEnd   = "# ralph:end"
	ours       = " # ralph"
)

const (
	sandbox = "sandbox_workspace_write"
	roots   = "writable_roots"
)

func (t tables) add(old []byte) (text []byte, kept []string, err error) {
	text = old
	if t.root != "" {
		if text, err = t.addRoot(text); err != nil {
			return nil, nil, err
		}
	}
	values, err := parseTOML(text)
	if err != nil {
		return nil, nil, err
	}
	switch have := within(values, "mcp_servers", "ralph"); {
	case have == nil:
		text = append(bytes.Clone(text), gap(text)+withLineEnds(t.table(), text)...)
	case !reflect.DeepEqual(have, t.wanted()):
		kept = append(kept, "mcp_servers.ralph is there already, and differs")
	}
	return text, kept, t.sound(old, text)
}

// table returns the text of ralph's table.
func (t tables) table() string {
	args := make([]string, len(t.server.Args))
	for i, a := range t.server.Args {
		args[i] = strconv.Quote(a)
	}
	return tableBegin + "\n[mcp_servers.ralph]\ncommand = " + strconv.Quote(t.server.Command) + "\nargs = [" + strings.Join(args, ", ") + "]\n" + tableEnd + "\n"
}

func (t tables) wanted() any {
	args := make([]any, len(t.server.Args))
	for i, a := range t.server.Args {
		args[i] = a
	}
	return map[string]any{"command": t.server.Command, "args": args}
}

// addRoot adds the writable root in the style of the file.
func (t tables) addRoot(text []byte) ([]byte, error) {
	values, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	if slices.Contains(list(within(values, sandbox, roots)), any(t.root)) {
		return text, nil
	}
	outline, err := findOutline(text)
	if err != nil {
		return nil, err
	}
	value, nl := strconv.Quote(t.root), newline(text)
	switch {
	case outline.array != nil:
		return outline.array.with(func(string) string { return value }, "  "), nil
	case outline.header >= 0:
		line := roots + " = [" + value + "]" + ours + nl
		if text[outline.header-1] != '\n' { // the file ends with the header
			line = nl + line
		}
		return splice(text, outline.header, outline.header, line), nil
	case within(values, sandbox) != nil:
		return nil, fmt.Errorf("%s is not written as a table of its own; add this by hand: %s = [%s]", sandbox, roots, value)
	}
	return append(bytes.Clone(text), gap(text)+"["+sandbox+"]"+ours+nl+roots+" = ["+value+"]"+ours+nl...), nil
}

// sound compares what a program reads before and after: nothing but ralph's share
// may differ.
func (t tables) sound(old, text []byte) error {
	before, err := parseTOML(old)
	if err != nil {
		return err
	}
	after, err := parseTOML(text)
	if err != nil {
		return fmt.Errorf("it is written in a way that cannot be added to; add this by hand:\n%s", t.table())
	}
	for _, values := range []map[string]any{before, after} {
		t.forget(values)
	}
	if !reflect.DeepEqual(before, after) {
		return errors.New("it is written in a way that cannot be changed without touching what is not ralph's")
	}
	return nil
}

// forget removes ralph's share from values.
func (t tables) forget(values map[string]any) {
	if servers, ok := values["mcp_servers"].(map[string]any); ok && reflect.DeepEqual(servers["ralph"], t.wanted()) {
		if delete(servers, "ralph"); len(servers) == 0 {
			delete(values, "mcp_servers")
		}
	}
	if box, ok := values[sandbox].(map[string]any); ok {
		left := slices.DeleteFunc(slices.Clone(list(box[roots])), func(v any) bool { return v == t.root })
		if box[roots] = left; len(left) == 0 {
			delete(box, roots)
		}
		if len(box) == 0 {
			delete(values, sandbox)
		}
	}
}

func (t tables) remove(old, before []byte) (text []byte, kept []string, err error) {
	if _, err := parseTOML(old); err != nil {
		return nil, nil, err
	}
	if text, err = t.removeRoot(old); err != nil {
		return nil, nil, err
	}
	table := []byte(withLineEnds(t.table(), text))
	switch at := bytes.Index(text, table); {
	case at >= 0:
		rest := splice(text, at, at+len(table), "")
		text = trimmed(rest, at, before)
	case bytes.Contains(text, []byte("mcp_servers.ralph")):
		kept = append(kept, "mcp_servers.ralph is not as ralph wrote it")
	}
	if len(text) == 0 && before == nil {
		return nil, kept, nil
	}
	return text, kept, t.sound(old, text)
}

// trimmed removes the empty line that was added before a passage at the end.
func trimmed(text []byte, at int, before []byte) []byte {
	if at == len(text) && len(text) > 0 && gap(text) == "" && (len(before) == 0 || gap(before) != "") {
		return text[:at-len(lastLine(text))]
	}
	return text
}

// removeRoot removes the root, and the lines that were added for it.
func (t tables) removeRoot(text []byte) ([]byte, error) {
	outline, err := findOutline(text)
	if err != nil || outline.array == nil || t.root == "" {
		return text, err
	}
	a := outline.array
	i := slices.IndexFunc(a.items, func(s span) bool { return string(text[s.from:s.to]) == strconv.Quote(t.root) })
	if i < 0 {
		return text, nil
	}
	if len(a.items) > 1 {
		return a.without(i), nil
	}
	from, to := lineOf(text, a.open)
	if !bytes.HasSuffix(bytes.TrimRight(text[from:to], "\r\n"), []byte("]"+ours)) {
		return a.without(i), nil
	}
	text = splice(text, from, to, "")
	header := "[" + sandbox + "]" + ours + newline(text)
	if at := from - len(header); at >= 0 && string(text[at:from]) == header && endsTable(text[from:]) {
		text = splice(text, at, from, "")
		text = trimmed(text, at, nil)
	}
	return text, nil
}

// endsTable reports whether no key follows that would join the table before.
func endsTable(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) == 0 || rest[0] == '[' || bytes.HasPrefix(rest, []byte(tableBegin))
}

func lineOf(text []byte, at int) (from, to int) {
	from = bytes.LastIndexByte(text[:at], '\n') + 1
	return from, at + upTo(text[at:], "\n")
}

// within follows keys through tables; it returns nil where one is missing.
func within(v any, keys ...string) any {
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func parseTOML(text []byte) (map[string]any, error) {
	values := map[string]any{}
	err := toml.Unmarshal(text, &values)
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := e.Position()
		return nil, fmt.Errorf("it cannot be parsed: line %d, column %d: %s", line, column, strings.TrimPrefix(e.Error(), "toml: "))
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be parsed: %w", err)
	}
	return values, nil
}
