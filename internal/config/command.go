package config

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"
)

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
		return problemf("name the program first", "the list is empty")
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
	return &jsonschema.Schema{AnyOf: append(slices.Clone(textSchema.AnyOf), &jsonschema.Schema{Type: "array", Items: &textSchema, MinItems: new(1)})}
}

// Vars are environment variables.
type Vars map[string]string

func (v *Vars) scan(n *yaml.Node) *problem {
	pairs, bad := pairsOf(n)
	if len(bad) > 0 {
		return bad[0]
	}
	all := make(Vars, len(pairs))
	for _, kv := range pairs {
		if !variableName.MatchString(kv.name) {
			return problemf("use letters, digits and _", "%s is not a valid variable name", clip(kv.name)).at(kv.key)
		}
		// A quoted empty text is a value here.
		if v := kv.value; v.Kind == yaml.ScalarNode && v.Value == "" && v.Tag == "!!str" {
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

func (v *Vars) String() string { return flowMap(*v) }
func (*Vars) shape() string    { return "names and texts" }
func (*Vars) schema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:                 "object",
		PropertyNames:        patternSchema(variablePattern),
		AdditionalProperties: &textSchema,
	}
}
