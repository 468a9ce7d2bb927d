package config

import (
	"slices"
	"strings"
)

// Effect is what a setting of a project file makes possible.
type Effect string

// The effects that a person is asked about.
const (
	Runs  Effect = "runs"  // starts a program, or decides what it is given
	Sends Effect = "sends" // sends prompts or a key to an address
	Opens Effect = "opens" // weakens a protection
	Rules Effect = "rules" // decides what a verdict needs; asks where it is looser than allowed
)

// Ask is a setting of a project file that needs a person's consent, or did to be as it is.
type Ask struct {
	Effect Effect `json:"effect"`
	Key    string `json:"key"`
	// Value is the setting as ralph.yaml would have it, with secrets masked.
	Value string `json:"value"`
	// Exact is the value with its secrets, for comparison only.
	Exact string `json:"-"`
	// Words are the parts of the value that may name a file in the repository.
	Words []string `json:"-"`
}

// Asks returns what a project file asks for, in the order of the keys, whatever
// other layers say. Its error is an Errors.
func Asks(src *Source) ([]Ask, error) {
	if src == nil {
		return nil, nil
	}
	r := &Resolved{Settings: *defaults(), origins: map[string]Origin{}}
	if errs := r.file(ProjectLayer, src); len(errs) > 0 {
		return nil, errs
	}
	var out []Ask
	paths, all := leaves(&r.Settings)
	for _, path := range paths {
		if r.Origin(path).Layer != ProjectLayer {
			continue
		}
		if effect := policyOf(path).effect(all[path]); effect != "" {
			out = append(out, Ask{Effect: effect, Key: path, Value: maskedText(all[path]), Exact: all[path].String(), Words: namedFiles(path, all[path])})
		}
	}
	return out, nil
}

// ProjectAgent reports whether an agent is the project file's, and needs consent: the
// user's own file does not name it, and the project's decides what it runs, sends or opens.
func (r *Resolved) ProjectAgent(name string) bool {
	section := "agents." + name
	if _, own := r.users[section]; own {
		return false
	}
	paths, all := leaves(&r.Settings)
	return slices.ContainsFunc(paths, func(path string) bool {
		asks := policyOf(path).asks
		return sectionOf(path) == section && r.Origin(path).Layer == ProjectLayer && asks != nil && asks(all[path]) != ""
	})
}

// promptFile is the file that replaces the built-in prompt, below prompt.dir.
const promptFile = "implementer.md.tmpl"

// namedFiles returns the words of an agent's command line and environment, and the
// template of prompt.dir. An agent is given keys, so its programs count as part of
// what was allowed; gates and set-up are given none.
func namedFiles(path string, l leaf) []string {
	switch {
	case path == "prompt.dir":
		return []string{l.String() + "/" + promptFile}
	case !strings.HasPrefix(path, "agents."):
		return nil
	}
	switch v := l.(type) {
	case *Command:
		return shellWords(v.Argv...)
	case *Vars:
		var out []string
		for _, text := range *v {
			out = append(out, shellWords(text)...)
		}
		slices.Sort(out)
		return out
	}
	return shellWords(items(l)...)
}
