package config

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// List is a list of texts. A single text is a list of one.
type List []string

func (l *List) scan(n *yaml.Node) *problem {
	all, p := texts(n, keep)
	*l = all
	return p
}
func (l *List) String() string           { return flow(*l) }
func (*List) shape() string              { return "list of text" }
func (*List) schema() *jsonschema.Schema { return listSchema() }

// Paths is a list of files inside the repository.
type Paths []string

func (l *Paths) scan(n *yaml.Node) *problem {
	all, p := texts(n, inside)
	*l = all
	return p
}
func (l *Paths) String() string           { return flow(*l) }
func (*Paths) shape() string              { return "list of paths" }
func (*Paths) schema() *jsonschema.Schema { return listSchema() }

// Globs is a list of path patterns inside the repository.
type Globs []string

func (l *Globs) scan(n *yaml.Node) *problem {
	all, p := texts(n, glob)
	*l = all
	return p
}
func (l *Globs) String() string           { return flow(*l) }
func (*Globs) shape() string              { return "list of globs" }
func (*Globs) schema() *jsonschema.Schema { return listSchema() }

// Folders is a list of folders anywhere, absolute or below the home.
type Folders []string

func (l *Folders) scan(n *yaml.Node) *problem {
	all, p := texts(n, anywhere)
	*l = all
	return p
}
func (l *Folders) String() string           { return flow(*l) }
func (*Folders) shape() string              { return "list of folders" }
func (*Folders) schema() *jsonschema.Schema { return listSchema() }

func anywhere(s string) (string, *problem) {
	if !strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "~/") {
		return "", wrong("write /the/whole/path or ~/path", "%s is no absolute path", clip(s))
	}
	return path.Clean(s), nil
}

func keep(s string) (string, *problem) { return s, nil }

func glob(s string) (string, *problem) {
	if !doublestar.ValidatePattern(s) {
		return "", wrong("check its brackets and braces", "%s is not a valid glob", clip(s))
	}
	return inside(s)
}

// texts reads a list, or one text, each through check.
func texts(n *yaml.Node, check func(string) (string, *problem)) ([]string, *problem) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	all := make([]string, 0, len(items))
	for _, item := range items {
		item = deref(item)
		s, p := scalar(item)
		if p == nil {
			s, p = check(s)
		}
		if p != nil {
			return nil, p.at(item)
		}
		all = append(all, s)
	}
	return all, nil
}

// Command is a program with its arguments, or, with Shell, one line for sh -c.
type Command struct {
	Argv  []string
	Shell bool
}

func (c *Command) scan(n *yaml.Node) *problem {
	if n.Kind != yaml.SequenceNode {
		s, p := scalar(n)
		*c = Command{Argv: []string{s}, Shell: true}
		return p
	}
	if len(n.Content) == 0 {
		return wrong("name the program first", "the list is empty")
	}
	argv, p := texts(n, keep)
	*c = Command{Argv: argv}
	return p
}

func (c *Command) String() string {
	if c.Shell {
		return c.Argv[0]
	}
	return flow(c.Argv)
}
func (*Command) shape() string { return "text | list of words" }
func (*Command) schema() *jsonschema.Schema {
	s := listSchema()
	s.AnyOf[len(s.AnyOf)-1].MinItems = new(uint64(1))
	return s
}

// Vars are environment variables.
type Vars map[string]string

const varPattern = `^[A-Za-z_][A-Za-z0-9_]*$`

func (v *Vars) scan(n *yaml.Node) *problem {
	pairs, bad := pairsOf(n)
	if len(bad) > 0 {
		return bad[0]
	}
	all := make(Vars, len(pairs))
	for _, kv := range pairs {
		if !regexp.MustCompile(varPattern).MatchString(kv.name) {
			return wrong("use letters, digits and _", "%s is no name of a variable", clip(kv.name)).at(kv.key)
		}
		// An empty value is a value here, if it is written as one: "".
		if isEmptyText(kv.value) {
			all[kv.name] = ""
			continue
		}
		text, p := scalar(kv.value)
		if p != nil {
			return p.at(kv.value)
		}
		all[kv.name] = text
	}
	*v = all
	return nil
}

func isEmptyText(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Tag == "!!str"
}

func (v *Vars) String() string { return flowMap(*v) }
func (*Vars) shape() string    { return "names and texts" }
func (*Vars) schema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:                 "object",
		PropertyNames:        patternSchema(varPattern),
		AdditionalProperties: textSchema(),
	}
}

func listSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: slices.Concat(
		plain("string", "number", "boolean"),
		[]*jsonschema.Schema{{Type: "array", Items: textSchema()}},
	)}
}
