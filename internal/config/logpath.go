package config

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"go.yaml.in/yaml/v4"
)

// LogPath is a log in the main tree that lines are appended to. Its name must
// say that it is one: whoever writes a project's ralph.yaml shall not get lines
// appended to anything else, and never below .git.
type LogPath string

func (l *LogPath) scan(n *yaml.Node) *problem {
	s, p := scalar(n)
	if p == nil {
		s, p = inside(s)
	}
	switch {
	case p != nil:
		return p
	case path.Ext(s) != ".jsonl" || path.Base(s) == ".jsonl":
		return wrong("name a file such as docs/bus/log.jsonl", "%s does not end in .jsonl", clip(s))
	case slices.ContainsFunc(strings.Split(s, "/"), func(part string) bool { return strings.EqualFold(strings.TrimRight(part, ". "), ".git") }):
		return wrong("choose a folder of the project", "%s is git's own", clip(s))
	}
	*l = LogPath(s)
	return nil
}
func (l *LogPath) String() string           { return string(*l) }
func (*LogPath) shape() string              { return "path of a .jsonl file in the repository" }
func (*LogPath) schema() *jsonschema.Schema { return patternSchema(`[^/]\.jsonl$`) }

// Bus is the key bus alone, for writers that need no other. Where no source
// speaks of one, nothing is parsed. A configuration that cannot be read has none:
// whoever needs the others says what is wrong with it.
func Bus(root, explicit string, env []string) string {
	found, err := Find(root, explicit, env)
	if err != nil {
		return ""
	}
	speaks := slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, envName("bus")+"=") })
	for _, s := range []*Source{found.Project, found.User} {
		speaks = speaks || s != nil && bytes.Contains(s.Data, []byte("bus"))
	}
	if !speaks {
		return ""
	}
	r, err := Resolve(Sources{Env: env, Project: found.Project, User: found.User})
	if err != nil {
		return ""
	}
	return string(r.Settings.Bus)
}
