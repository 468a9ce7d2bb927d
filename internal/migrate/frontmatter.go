package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"ralph/internal/text"

	"go.yaml.in/yaml/v4"
)

// frontmatter splits a Markdown file into the mapping between its first two lines
// of dashes, and the rest.
func frontmatter(data []byte) (head map[string]any, body string, err error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, "", &Error{Why: "is empty"}
	}
	lines := strings.SplitAfter(string(data), "\n")
	if strings.TrimRight(lines[0], " \t\r\n") != "---" {
		return nil, "", &Error{Line: 1, Why: "does not begin with ---, the line before its settings"}
	}
	for i, l := range lines[1:] {
		if strings.TrimRight(l, " \t\r\n") == "---" {
			head, err = mapping(strings.Join(lines[1:i+1], ""))
			return head, strings.Join(lines[i+2:], ""), err
		}
	}
	return nil, "", &Error{Line: lineAt(data, int64(len(bytes.TrimRight(data, "\r\n")))), Why: "ends before the --- that closes its settings"}
}

// mapping reads YAML into the types of JSON. It refuses aliases, which are not
// needed and can make a small file expand without bounds.
func mapping(text string) (map[string]any, error) {
	loader, err := yaml.NewLoader(strings.NewReader(text))
	if err != nil {
		return nil, notYAML(err)
	}
	var doc yaml.Node
	if err := loader.Load(&doc); errors.Is(err, io.EOF) {
		return map[string]any{}, nil
	} else if err != nil {
		return nil, notYAML(err)
	}
	if len(doc.Content) == 0 {
		return map[string]any{}, nil
	}
	v, err := plain(doc.Content[0], 0)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, &Error{Line: doc.Content[0].Line + 1, Why: "has settings that are not keys and values"}
	}
	return m, nil
}

// notYAML returns an error with its line. The settings begin in the second line.
func notYAML(err error) *Error {
	e := &Error{Line: 2, Why: "has settings that are not valid YAML: " + text.Clip(err.Error(), 200)}
	if load, ok := errors.AsType[*yaml.LoadError](err); ok {
		e.Line, e.Why = load.Mark.Line+1, "has settings that are not valid YAML: "+text.Clip(load.Message, 200)
	}
	return e
}

const mostDepth = 20

func plain(n *yaml.Node, depth int) (any, error) {
	switch {
	case depth > mostDepth:
		return nil, &Error{Line: n.Line + 1, Why: "nests its settings too deep"}
	case n.Kind == yaml.ScalarNode:
		return scalar(n), nil
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			v, err := plain(c, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case n.Kind == yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := plain(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			m[n.Content[i].Value] = v
		}
		return m, nil
	}
	return nil, &Error{Line: n.Line + 1, Why: "uses an alias in its settings"}
}

func scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int", "!!float":
		return json.Number(n.Value)
	}
	return n.Value
}
