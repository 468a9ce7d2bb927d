package planfile

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"
)

// frontmatter is the YAML between the first line "---" and the next.
type frontmatter struct {
	values map[string]frontValue
	// lines is how many lines of the file it takes, with both marks; 0 is none.
	lines int
	// starts are the offsets of those lines in the file; the last is that of the
	// closing mark.
	starts []int
	// end is the line end that the file uses.
	end string
}

// frontValue is one top-level value of the frontmatter. Lines are those of the
// file.
type frontValue struct {
	line int
	node *yaml.Node
}

func (f frontmatter) has(key string) bool {
	_, ok := f.values[key]
	return ok
}

// text returns a plain value, "" for anything else.
func (v frontValue) text() string {
	if v.node == nil || v.node.Kind != yaml.ScalarNode || v.node.Tag == "!!null" {
		return ""
	}
	return v.node.Value
}

// none reports whether there is no value, or null.
func (v frontValue) none() bool {
	return v.node == nil || v.node.Kind == yaml.ScalarNode && v.node.Tag == "!!null"
}

// readFront reads the frontmatter. If its YAML is invalid, the keys are guessed
// from its lines.
func readFront(text string) (frontmatter, error) {
	f := frontmatter{end: "\n"}
	var yamlLines []string
	at, closed := 0, false
	for raw := range strings.Lines(text) {
		l := strings.TrimRight(raw, "\r\n")
		mark := strings.TrimRight(l, " \t")
		if len(f.starts) == 0 {
			if strings.HasSuffix(raw, "\r\n") {
				f.end = "\r\n"
			}
			if mark != "---" {
				return f, nil
			}
		}
		f.starts = append(f.starts, at)
		at += len(raw)
		if closed = len(f.starts) > 1 && (mark == "---" || mark == "..."); closed {
			break
		}
		if len(f.starts) > 1 {
			yamlLines = append(yamlLines, l)
		}
	}
	if !closed {
		return frontmatter{end: f.end}, nil
	}
	f.lines = len(f.starts)
	var err error
	if f.values, err = decode(strings.Join(yamlLines, "\n")); err != nil {
		f.values = guessed(yamlLines)
	}
	return f, err
}

// decode reads a mapping; lines are those of the whole file.
func decode(text string) (map[string]frontValue, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		at := 0
		if load, ok := errors.AsType[*yaml.LoadError](err); ok {
			at = load.Mark.Line
		}
		return nil, parseError(at+1, "", "the frontmatter is not valid YAML: %s", firstLine(err.Error()))
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
			return nil, parseError(key.Line+1, "keep one of them", "duplicate key %s in the frontmatter", quote(key.Value))
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
