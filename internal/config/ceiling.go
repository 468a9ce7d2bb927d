package config

import (
	"maps"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// ceilings are the settings that bound the loops which an agent drives itself, each
// with the order that tells a looser value and the words before the value of the files: the
// agent types the command line and sets the environment, so these can only tighten what the
// files say.
var ceilings = map[string]struct {
	tight order
	bound string
}{
	"agent_loops.max_iterations": {less, "at most"},
	"agent_loops.timeout":        {less, "at most"},
	"agent_loops.regression":     {fewer, "at most"},
	"agent_loops.per_parent":     {less, "at most"},
	"limits.stall":               {less, "at most"},
	"limits.confirm_passes":      {more, "at least"},
	"limits.max_loops":           {less, "at most"},
	"refuse":                     {refusesAll, "at least all of"},
}

// refusesAll: work is refused for all that the user's value refuses.
func refusesAll(user, project leaf) bool {
	codes := Refusals(items(project)).Codes()
	return !slices.ContainsFunc(Refusals(items(user)).Codes(), func(c loop.ConcernCode) bool { return !slices.Contains(codes, c) })
}

// fewer is less for a number of which 0 switches a limit off.
func fewer(user, project leaf) bool {
	u, p := amounts(user)[0], amounts(project)[0]
	return u == p || p != 0 && (u == 0 || p < u)
}

// Loosened is a limit of agent-driven loops that a flag or a variable would loosen.
type Loosened struct {
	Key string
	// Wanted is the looser value, At where it stands.
	Wanted string
	At     Origin
	// Bound is "at most" or another such word before Ceiling, the value of the files. From is
	// where that stands.
	Bound   string
	Ceiling string
	From    Origin
}

// Loosened returns the limits of agent-driven loops that are looser than in files,
// in the order of the keys.
func (r *Resolved) Loosened(files *Resolved) []Loosened {
	_, wanted := leaves(&r.Settings)
	_, allowed := leaves(&files.Settings)
	var out []Loosened
	for _, key := range slices.Sorted(maps.Keys(ceilings)) {
		if c := ceilings[key]; !c.tight(allowed[key], wanted[key]) {
			out = append(out, Loosened{Key: key, Wanted: wanted[key].String(), At: r.Origin(key), Bound: c.bound, Ceiling: allowed[key].String(), From: files.Origin(key)})
		}
	}
	return out
}

// FilesOnly returns the sources without flags and RALPH_* variables.
func (s Sources) FilesOnly() Sources {
	s.Flags = nil
	s.Env = slices.DeleteFunc(slices.Clone(s.Env), func(v string) bool { return strings.HasPrefix(v, "RALPH_") })
	return s
}

// raised asks about a limit of agent-driven loops that is looser than the built-in
// one: an agent that could raise it in ralph.yaml would hold itself.
func raised(key string) func(leaf) Effect {
	return func(l leaf) Effect {
		_, builtIn := leaves(defaults())
		if ceilings[key].tight(builtIn[key], l) {
			return ""
		}
		return Opens
	}
}
