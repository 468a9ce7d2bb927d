package config

import "strings"

// Weaker is a setting of a project file that is looser than it was allowed: a verdict
// needs less, or something is less protected. Before and Now are "" where the file leaves
// the key out.
type Weaker struct{ Key, Before, Now string }

// Weakened compares what two states of a project file say about verdicts and protections,
// by the orders of the keys, and returns what is looser now. A key that a file leaves out
// has its built-in value. A new section weakens nothing: one more gate judges more.
func Weakened(before, now []Ask) []Weaker {
	then, today := stateOf(before, nil), stateOf(now, before)
	_, old := leaves(&then.Settings)
	paths, all := leaves(&today.Settings)
	var out []Weaker
	for _, path := range paths {
		was, is := then.said[path], today.said[path]
		if old[path] == nil || was == "" && is == "" {
			continue
		}
		if policyOf(path).order(then.value(path, old[path]), today.value(path, all[path])) && !then.unread[path] && !today.unread[path] {
			continue
		}
		out = append(out, Weaker{Key: path, Before: was, Now: is})
	}
	return out
}

// state is what a project file says about verdicts and protections.
type state struct {
	Resolved
	said   map[string]string
	unread map[string]bool
}

// stateOf reads what Asks returned, with the sections of both, as far as this version knows
// the keys.
func stateOf(asks, others []Ask) *state {
	s := &state{Resolved{Settings: *defaults(), origins: map[string]Origin{}}, map[string]string{}, map[string]bool{}}
	for _, all := range [][]Ask{asks, others} {
		for _, a := range all {
			s.Settings.include(a.Key)
		}
	}
	_, all := leaves(&s.Settings)
	for _, a := range asks {
		if a.Effect == Runs || a.Effect == Sends || all[a.Key] == nil {
			continue
		}
		s.said[a.Key] = a.Value
		s.unread[a.Key] = s.assign(a.Key, a.Value, Origin{Layer: ProjectLayer}, all) != nil
	}
	s.tighten(nil) // a list to which the file can only add has the built-in entries
	return s
}

// value returns what a file gives a key, also by leaving it out.
func (s *state) value(path string, value leaf) leaf {
	if unset := policyOf(path).unset; unset != nil && s.said[path] == "" {
		return unset
	}
	return value
}

// include adds the named section of a key.
func (s *Settings) include(path string) {
	name := strings.TrimPrefix(sectionOf(path), tableOf(path)+".")
	switch tableOf(path) {
	case "gates":
		s.Gates.section(name)
	case "agents":
		s.Agents.section(name)
	case "prices":
		s.Prices.section(name)
	}
}
