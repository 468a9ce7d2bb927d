package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// childVariables are set by ralph for its children; a ralph that a child starts
// must not read them as settings.
var childVariables = []string{"RALPH_PROMPT_FILE", "RALPH_LOOP_ID", "RALPH_TASK_ID", "RALPH_ITERATION", "RALPH_STATE_FILE", "RALPH_SLOT", "RALPH_PORT_BASE", "RALPH_DB_SUFFIX", "RALPH_PURSE", "RALPH_SOCKET"}

// environment applies RALPH_* variables. An empty variable counts as not set. One
// that starts like a section must name a key of it; all others are ignored.
func (r *Resolved) environment(env []string) Errors {
	var errs Errors
	paths, byPath := leaves(&r.Settings)
	byName := map[string][]string{}
	for _, p := range paths {
		if p != "version" {
			byName[envName(p)] = append(byName[envName(p)], p)
		}
	}
	for _, assignment := range slices.Sorted(slices.Values(env)) {
		name, text, _ := strings.Cut(assignment, "=")
		if text == "" || !strings.HasPrefix(name, "RALPH_") || slices.Contains(childVariables, name) {
			continue
		}
		if e := r.variable(name, text, byName, byPath); e != nil {
			errs = append(errs, e)
		}
	}
	return errs
}

func (r *Resolved) variable(name, text string, byName map[string][]string, byPath map[string]leaf) *Error {
	switch keys := byName[name]; {
	case len(keys) == 1:
		return r.assign(keys[0], text, Origin{Layer: EnvLayer, File: name}, byPath)
	case len(keys) > 1:
		return &Error{File: name, Message: "means each of " + strings.Join(keys, ", "), Hint: "rename one of them"}
	case !startsLikeSection(name):
		return nil
	}
	names := make([]string, 0, len(byName))
	for n := range byName {
		names = append(names, n)
	}
	e := &Error{File: name, Message: "there is no such setting here", Hint: "see `ralph config show`"}
	if near := nearest(name, lowered(names)); near != "" {
		e.Hint = "did you mean " + strings.ToUpper(near) + "?"
	}
	return e
}

func lowered(all []string) []string {
	all = slices.Clone(all)
	for i := range all {
		all[i] = strings.ToLower(all[i])
	}
	slices.Sort(all)
	return all
}

// startsLikeSection reports whether a variable starts with the name of a section.
func startsLikeSection(name string) bool {
	for _, k := range Keys() {
		section, _, nested := strings.Cut(k.Path, ".")
		if nested && strings.HasPrefix(name, envName(section)+"_") {
			return true
		}
	}
	return false
}

// flags applies the settings of the command line.
func (r *Resolved) flags(all []Setting) Errors {
	var errs Errors
	_, byPath := leaves(&r.Settings)
	for _, s := range all {
		if _, ok := byPath[s.Key]; !ok {
			errs = append(errs, &Error{File: s.Flag, Message: fmt.Sprintf("there is no setting %q", s.Key)})
			continue
		}
		if e := r.assign(s.Key, s.Value, Origin{Layer: FlagLayer, File: s.Flag}, byPath); e != nil {
			errs = append(errs, e)
		}
	}
	return errs
}

// assign reads text as a file would: [a, b] and {soft: 5m} are lists and groups, everything
// else is one value. A list of known words needs no brackets.
func (r *Resolved) assign(key, text string, from Origin, byPath map[string]leaf) *Error {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	l, _ := byPath[key].(textLeaf)
	if l.ofWords() && strings.Contains(text, ",") && !strings.HasPrefix(text, "[") {
		text = "[" + text + "]"
	}
	isText := l.value.IsValid() && l.value.Type() == reflect.TypeFor[Text]()
	if !isText && (strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")) {
		root, err := parse(Source{Name: from.File, Data: []byte(text)})
		if len(err) > 0 {
			return &Error{File: from.File, Message: err[0].Message, Hint: err[0].Hint}
		}
		n = root
	}
	if p := byPath[key].scan(n); p != nil {
		return &Error{File: from.File, Message: p.message, Hint: p.hint}
	}
	r.origins[key] = from
	return nil
}
