package config

import (
	"path"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// Text is any text but the empty one.
type Text string

func (t *Text) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	*t = Text(s)
	return p
}
func (t *Text) String() string           { return string(*t) }
func (*Text) shape() string              { return "text" }
func (*Text) schema() *jsonschema.Schema { return textSchema() }
func textSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: plain("string", "number", "boolean")}
}
func stringSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }
func patternSchema(p string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: p}
}

// plain are schemas of bare types: YAML reads an unquoted true as a boolean,
// which is still a fine text here.
func plain(types ...string) []*jsonschema.Schema {
	all := make([]*jsonschema.Schema, len(types))
	for i, t := range types {
		all[i] = &jsonschema.Schema{Type: t}
	}
	return all
}

// Path is a file or folder inside the repository, with forward slashes,
// cleaned.
type Path string

func (f *Path) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p == nil {
		s, p = inside(s)
	}
	*f = Path(s)
	return p
}
func (f *Path) String() string           { return string(*f) }
func (*Path) shape() string              { return "path in the repository" }
func (*Path) schema() *jsonschema.Schema { return stringSchema() }

// inside refuses paths that leave the repository on any system: a gate's folder
// is joined to the worktree's root.
func inside(s string) (string, *problem) {
	const hint = "write a path relative to the repository's root, with forward slashes"
	if strings.ContainsAny(s, "\\\n\r") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") || drive(s) {
		return "", wrong(hint, "%s is not a path inside the repository", clip(s))
	}
	clean := path.Clean(s)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", wrong(hint, "%s leads out of the repository", clip(s))
	}
	return clean, nil
}

func drive(s string) bool { return len(s) > 1 && s[1] == ':' }

// Parser names the format of test results.
type Parser string

func parsers() []string { return []string{"auto", "exit", "gotest", "junit", "tap", "pytest", "node"} }

func (r *Parser) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p != nil {
		return p
	}
	*r = Parser(s)
	if file, ok := strings.CutPrefix(s, "junit:"); ok {
		_, p = inside(file)
		if file == "" {
			p = wrong("write junit:<path of the report>", "the path is missing")
		}
		return p
	}
	return oneOf(s, parsers(), "result format")
}
func (r *Parser) String() string { return string(*r) }
func (*Parser) shape() string    { return strings.Join(parsers(), " | ") + " | junit:<path>" }
func (*Parser) schema() *jsonschema.Schema {
	return patternSchema("^(" + strings.Join(parsers(), "|") + "|junit:.+)$")
}
