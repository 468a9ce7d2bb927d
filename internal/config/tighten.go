package config

import (
	"reflect"
	"slices"
	"strings"
)

// Kept is a value of the user's own file that a looser one of the project file
// did not replace.
type Kept struct {
	Key string
	// Wanted is the project's value, At where it stands.
	Wanted string
	At     Origin
	// Value is the one in effect, "" where the user's file leaves the key out;
	// From is where it stands.
	Value string
	From  Origin
}

// tighten puts back what the user's own file says wherever the project's value is
// looser. A gate or an agent that the user's file names is the user's as a whole:
// the project can make it tighter, and no more.
func (r *Resolved) tighten(src *Source) {
	user := &Resolved{Settings: *defaults(), origins: map[string]Origin{}}
	_ = user.file(UserLayer, src) // its mistakes were reported when it was read for the first time
	r.users = user.origins
	_, theirs := leaves(&user.Settings)
	paths, all := leaves(&r.Settings)
	for _, path := range paths {
		policy, value := policyOf(path), theirs[path]
		if r.Origin(path).Layer != ProjectLayer || policy.order == nil || value == nil || !user.decides(path, value) || policy.order(user.inForce(path, value), all[path]) {
			continue
		}
		kept := Kept{Key: path, Wanted: maskedText(all[path]), At: r.Origin(path), Value: maskedText(value), From: user.Origin(path)}
		if policy.adds && !addTo(all[path], value) {
			continue
		}
		r.kept = append(r.kept, kept)
		if !policy.adds {
			r.restore(path, all[path], value, user.Origin(path))
		}
	}
}

// addTo puts the user's entries before the project's in a list to which the project
// can only add. Exceptions of the project's own are dropped, which it reports.
func addTo(project, user leaf) (dropped bool) {
	theirs, own := items(user), items(project)
	all := slices.Clone(theirs)
	for _, entry := range own {
		switch {
		case slices.Contains(all, entry):
		case strings.HasPrefix(entry, "!"):
			dropped = true
		default:
			all = append(all, entry)
		}
	}
	dst := settable(project)
	dst.Set(reflect.ValueOf(all).Convert(dst.Type()))
	return dropped
}

// inForce returns the value that the user's file gives a key, also by leaving it out.
func (r *Resolved) inForce(path string, value leaf) leaf {
	if unset := policyOf(path).unset; unset != nil && r.Origin(path).Layer != UserLayer {
		return unset
	}
	return value
}

// decides reports whether the user's file has a say in a key: it sets the key, or
// it names the section and the key is not a number, or is one that is bounded unset.
func (r *Resolved) decides(path string, value leaf) bool {
	_, named := r.origins[sectionOf(path)]
	return policyOf(path).adds || r.Origin(path).Layer == UserLayer || named && (!isAmount(value) || policyOf(path).unset != nil)
}

// isAmount reports whether a setting is a number, an amount or a time.
func isAmount(l leaf) bool {
	switch l.(type) {
	case *Count, *Allowance, *Span, *Pause, *Money, *Tokens, *Deadline, *Threshold, *Rate:
		return true
	}
	return false
}

// restore replaces the project's value. Of a list that protects something the
// entries of both stay.
func (r *Resolved) restore(path string, into, value leaf, from Origin) {
	dst, src := settable(into), settable(value)
	if policyOf(path).joins {
		src = reflect.AppendSlice(reflect.AppendSlice(reflect.MakeSlice(src.Type(), 0, src.Len()+dst.Len()), src), dst)
	}
	dst.Set(src)
	if delete(r.origins, path); from.Layer != BuiltIn {
		r.origins[path] = from
	}
}

// settable returns the field that a leaf stands for.
func settable(l leaf) reflect.Value {
	if t, ok := l.(textLeaf); ok {
		return t.value
	}
	return reflect.ValueOf(l).Elem()
}

// Kept returns the values that the user's own file kept against looser ones of the
// project file, in the order of the keys.
func (r *Resolved) Kept() []Kept { return r.kept }
