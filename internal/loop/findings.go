package loop

import (
	"maps"
	"slices"
)

// Findings are what a search of the work, or a trial of it, named, by the concern that it is:
// lines as "path:line what it does", or what a gate showed. ConcernSuspect has fields of its
// own (Attempt.Suspects, Result.Weak).
type Findings map[ConcernCode][]string

// Add adds to what was found of one kind.
func (f *Findings) Add(code ConcernCode, found ...string) {
	if len(found) == 0 {
		return
	}
	if *f == nil {
		*f = Findings{}
	}
	(*f)[code] = append((*f)[code], found...)
}

// found is what a search of the work named that is this concern.
func (a *Attempt) found(code ConcernCode) []string {
	if code == ConcernSuspect {
		return a.Suspects
	}
	return a.Findings[code]
}

// found is what a green gate showed that is this concern.
func (r Result) found(code ConcernCode) []string {
	if code == ConcernSuspect && r.Weak != "" && r.Canary != "" {
		return []string{r.Weak}
	}
	return r.Findings[code]
}

func (f Findings) clone() Findings {
	out := maps.Clone(f)
	for code := range out {
		out[code] = slices.Clone(out[code])
	}
	return out
}

// weight is about the size of the JSON, in bytes.
func (f Findings) weight() (n int) {
	for _, found := range f {
		n += 30 + jsonList(found)
	}
	return n
}

// cut shortens what is too large for the state.
func (f Findings) cut() Findings {
	out := maps.Clone(f)
	for code := range out {
		out[code] = cutNames(out[code])
	}
	return out
}
