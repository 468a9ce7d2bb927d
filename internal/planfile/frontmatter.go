package planfile

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"
)

// frontValue is one top-level value of the frontmatter.
type frontValue struct {
	line int
	node *yaml.Node
}

// text is a plain value, "" for anything else.
func (v frontValue) text() string {
	if v.node == nil || v.node.Kind != yaml.ScalarNode || v.node.Tag == "!!null" {
		return ""
	}
	return v.node.Value
}

// frontmatter reads the YAML between the first line "---" and the next. rest is
// how many lines it takes; without one it is 0. Where the YAML is wrong, the
// keys are those that its lines seem to begin with.
func frontmatter(text string) (front map[string]frontValue, rest int, err error) {
	var yamlLines []string
	n := 0
	closed := false
	for raw := range strings.Lines(text) {
		n++
		l := strings.TrimRight(raw, "\r\n")
		if n == 1 && strings.TrimRight(l, " \t") != "---" {
			return nil, 0, nil
		}
		if end := strings.TrimRight(l, " \t"); n > 1 && (end == "---" || end == "...") {
			closed = true
			break
		}
		if n > 1 {
			yamlLines = append(yamlLines, l)
		}
	}
	if !closed {
		return nil, 0, nil
	}
	front, err = decode(strings.Join(yamlLines, "\n"))
	if err != nil {
		front = guessed(yamlLines)
	}
	return front, n, err
}

// decode reads a mapping; lines are those of the whole file.
func decode(text string) (map[string]frontValue, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		at := 0
		if load, ok := errors.AsType[*yaml.LoadError](err); ok {
			at = load.Mark.Line
		}
		return nil, wrong(at+1, "", "the frontmatter is not valid YAML: %s", firstLine(err.Error()))
	}
	front := map[string]frontValue{}
	if len(doc.Content) == 0 {
		return front, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return front, nil
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		key := top.Content[i]
		if _, twice := front[key.Value]; twice {
			return nil, wrong(key.Line+1, "keep one of them", "the key %s stands twice in the frontmatter", quote(key.Value))
		}
		front[key.Value] = frontValue{key.Line + 1, top.Content[i+1]}
	}
	return front, nil
}

func guessed(lines []string) map[string]frontValue {
	front := map[string]frontValue{}
	for i, l := range lines {
		if key, _, ok := strings.Cut(l, ":"); ok {
			front[strings.TrimSpace(key)] = frontValue{line: i + 2}
		}
	}
	return front
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
