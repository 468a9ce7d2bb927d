package config

import (
	"cmp"
	"reflect"
	"slices"
	"time"
)

// order reports whether the project's value of a key is at least as tight as the
// user's.
type order func(user, project leaf) bool

// same is the order of values that have none: only an equal value is as tight.
func same(user, project leaf) bool { return user.String() == project.String() }

// ranked orders words, the loosest first. A word that is not listed is looser than
// all others; none, where it is the last, means the word before it.
func ranked(loosest ...string) order {
	rank := func(l leaf) int {
		if i := slices.Index(loosest, l.String()); i < 0 || loosest[i] != "" {
			return i
		}
		return len(loosest) - 2
	}
	return func(user, project leaf) bool { return rank(project) >= rank(user) }
}

// walls orders sandboxes: bubblewrap satisfies every setting, landlock only itself
// and off.
func walls(user, project leaf) bool {
	asTight := map[string][]string{
		"off":      {"off", "auto", "require", "landlock", "bubblewrap"},
		"auto":     {"auto", "require", "bubblewrap"},
		"require":  {"require", "bubblewrap"},
		"landlock": {"landlock", "bubblewrap"},
	}
	return same(user, project) || slices.Contains(asTight[user.String()], project.String())
}

// less: a smaller number, amount or time is tighter.
func less(user, project leaf) bool {
	u, p := amounts(user), amounts(project)
	for i := range p {
		if p[i] > u[i] {
			return false
		}
	}
	return true
}

// more: a larger number is tighter.
func more(user, project leaf) bool {
	if same(user, project) {
		return true
	}
	u, p := amounts(user), amounts(project)
	for i := range p {
		if p[i] == unbounded || p[i] < u[i] && u[i] != unbounded {
			return false
		}
	}
	return true
}

// floors: a higher share is tighter. A share and the value at the start have no order.
func floors(user, project leaf) bool {
	u, p := user.(*Threshold), project.(*Threshold)
	return same(user, project) || u.Percent != nil && p.Percent != nil && *p.Percent >= *u.Percent
}

// sooner orders days, the latest first: what is permitted until then ends earlier. None is the tightest.
func sooner(user, project leaf) bool {
	until := func(l leaf) (time.Time, bool) {
		t, err := time.Parse(time.DateOnly, l.String())
		return t, err == nil
	}
	u, known := until(user)
	p, day := until(project)
	return same(user, project) || project.String() == "" || known && day && !p.After(u)
}

// unbounded is the amount of a setting that is absent or off.
const unbounded = float64(1 << 62)

// amounts returns the numbers of a setting: two of a deadline, one of all others.
func amounts(l leaf) []float64 {
	bounded := func(n float64, set bool) []float64 {
		if !set {
			n = unbounded
		}
		return []float64{n}
	}
	switch v := l.(type) {
	case *Count:
		return bounded(float64(v.value), v.set)
	case *Allowance:
		return bounded(float64(v.value), v.set)
	case *Span:
		return bounded(float64(*v), *v != 0)
	case *Pause:
		return bounded(float64(v.After), !v.Off && v.After != 0)
	case *Money:
		return bounded(float64(*v), *v != 0)
	case *Tokens:
		return bounded(float64(*v), *v != 0)
	case *Deadline: // without a soft end the hard one is the first
		part := func(d time.Duration) float64 { return bounded(float64(d), d != 0)[0] }
		return []float64{part(cmp.Or(v.Soft, v.Hard)), part(v.Hard)}
	case *Share:
		return []float64{v.Percent}
	case *Threshold:
		if v.Percent != nil {
			return []float64{*v.Percent}
		}
	}
	return []float64{unbounded}
}

// subset: a list that opens something is tighter when all it has is in the user's.
func subset(user, project leaf) bool {
	all := items(user)
	return !slices.ContainsFunc(items(project), func(s string) bool { return !slices.Contains(all, s) })
}

// superset: a list that protects something is tighter when it has all of the
// user's.
func superset(user, project leaf) bool { return subset(project, user) }

// items returns the texts of a list.
func items(l leaf) []string {
	t, ok := l.(textLeaf)
	if !ok || t.value.Kind() != reflect.Slice {
		return nil
	}
	return t.value.Convert(reflect.TypeFor[[]string]()).Interface().([]string)
}
