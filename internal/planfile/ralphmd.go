package planfile

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
)

// placeholder matches an argument or command to be filled in.
var placeholder = lazyregexp.New(`\{\{\s*(args|commands)\.([\w.-]+)\s*\}\}`)

// ralphLike reports whether the frontmatter has an agent, and the file is called
// RALPH.md or has commands.
func (d document) ralphLike(base string) bool {
	return d.front.has("agent") && (base == "RALPH.md" || d.front.has("commands"))
}

// readRalph reads a prompt that is run repeatedly: one task without an end of its
// own. Its commands and its agent are proposals, never run as they are. The file
// has no place for progress.
func (d document) readRalph() (File, error) {
	f := File{Format: RalphMD}
	text := strings.TrimSpace(body(d.lines))
	t := plan.Task{ID: "ralph", Title: firstTitle(d.lines), Text: text, Agent: d.front.values["agent"].text(), Status: plan.Pending, Line: 1}
	if t.Title == "" {
		t.Title = "RALPH.md"
	} else {
		t.ID = names{}.of(t.Title)
	}
	f.Plan.Title = t.Title
	var err error
	t.Commands, err = d.commands()
	err = both(err, d.permission(&t))
	f.Plan.Tasks = []plan.Task{t}
	for _, l := range d.lines {
		if m := placeholder.FindStringSubmatch(l.text); m != nil && m[1] == "args" {
			f.warn(l.n, "the argument %s is not filled in", m[2])
		}
	}
	return f, err
}

// commands reads the list of the frontmatter: name and run, or plain lines.
func (d document) commands() ([]string, error) {
	v := d.front.values["commands"]
	if v.none() {
		return nil, nil
	}
	if v.node.Kind != yaml.SequenceNode {
		return nil, parseError(v.line, "write a list of name: and run:", "commands is not a list")
	}
	var out []string
	for _, item := range v.node.Content {
		var c struct{ Name, Run string }
		if item.Kind == yaml.ScalarNode {
			c.Run = item.Value
		} else if item.Kind != yaml.MappingNode || item.Decode(&c) != nil {
			c.Run = ""
		}
		if strings.TrimSpace(c.Run) == "" {
			return nil, parseError(item.Line+1, "write name: and run:", "a command has nothing to run")
		}
		out = append(out, c.Run)
	}
	return out, nil
}
