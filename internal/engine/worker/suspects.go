package worker

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof/suspect"
	"ralph/internal/text"
)

// findSuspects names the lines that the work adds to the product and that can end or
// steer a run of its tests, and by their concern the other lines for which green gates say
// little. Work of which not all can be searched counts as if it had
// one.
func (w *Worker) findSuspects(ctx context.Context, s loop.State, tip string) (suspects []string, findings loop.Findings, err error) {
	base, work, err := w.bothFiles(ctx, s.Base, tip)
	if err != nil {
		return nil, nil, err
	}
	content := w.content(ctx)
	duties, err := w.dutiesOf(ctx, s.Base, s.Gates...)
	if err != nil {
		return nil, nil, err
	}
	if !s.Task.Merges {
		duties.Task = s.Task.Asks()
	}
	found, all, err := suspect.Find(base, work, duties, content)
	if err != nil {
		return nil, nil, fmt.Errorf("search the changed sources of %s: %w", git.Short(tip), err)
	}
	evasions, whole, err := suspect.Evasions(base, work, s.Gates, duties, content)
	if err != nil {
		return nil, nil, fmt.Errorf("search what gates do not see of %s: %w", git.Short(tip), err)
	}
	all = all && whole
	named, err := suspect.NamesTestData(base, work, s.Gates, s.Task.Asks(), content)
	if err != nil {
		return nil, nil, fmt.Errorf("search for what %s reads: %w", git.Short(tip), err)
	}
	named = slices.DeleteFunc(named, func(f suspect.Finding) bool { return slices.Contains(found, f) })
	found = slices.Concat(evasions, named, found)
	if err := suspect.Quote(found, work, content); err != nil {
		return nil, nil, fmt.Errorf("read the suspect lines of %s: %w", git.Short(tip), err)
	}
	mask := w.redactGate(s, loop.Gate{})
	for i, f := range found {
		found[i].Code = mask.Mask(f.Code) // before it is cut: a part of a secret has no form
	}
	of := map[loop.ConcernCode][]suspect.Finding{}
	for _, f := range found {
		of[f.Concern()] = append(of[f.Concern()], f)
	}
	for code, found := range of {
		if code != loop.ConcernSuspect {
			findings.Add(code, firstOf(eachKind(found))...)
		}
	}
	suspects = firstOf(eachKind(of[loop.ConcernSuspect]))
	if !all {
		suspects = append([]string{"the work changes more sources than ralph searches for such code"}, suspects...)
	}
	return suspects, findings, nil
}

// steersTests reports whether lines of the work were named by which its product can steer
// its tests.
func steersTests(a *loop.Attempt) bool {
	return len(a.Suspects) > 0 || len(a.Findings[loop.ConcernTampers]) > 0
}

// eachKind names suspects, the gravest first: of more than are told, the first of each kind
// come before all others, so that many harmless ones hide none of another kind.
func eachKind(found []suspect.Finding) []string {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b suspect.Finding) int { return a.Weight() - b.Weight() })
	var first, others []string
	for _, kind := range byKind(found) {
		names := eachFile(kind)
		first, others = append(first, names[0]), append(others, names[1:]...)
	}
	if len(first)+len(others) <= mostTold {
		return eachFile(found)
	}
	return append(first, others...)
}

// byKind splits suspects that are sorted by their weight.
func byKind(found []suspect.Finding) (kinds [][]suspect.Finding) {
	for i, f := range found {
		if i == 0 || f.Weight() != found[i-1].Weight() {
			kinds = append(kinds, nil)
		}
		kinds[len(kinds)-1] = append(kinds[len(kinds)-1], f)
	}
	return kinds
}

// eachFile names the first lines of each file that do the same, and the number of the
// others: no file hides those of another.
func eachFile(found []suspect.Finding) (names []string) {
	const most, widest, widestCode = 3, 200, 60
	cut := func(s string, widest int) string { return text.Cut(text.Name(text.Head(s, 8*widest)), widest) }
	type group struct{ file, what string }
	lines := map[group]int{}
	for _, f := range found {
		lines[group{f.Path, f.What}]++
	}
	seen := map[group]int{}
	for _, f := range found {
		g := group{f.Path, f.What}
		seen[g]++
		f.Code = cut(f.Code, widestCode)
		name := f.String()
		if more := lines[g] - most; seen[g] == most && more > 0 {
			name = fmt.Sprintf("%s:%d (and %d more like it) %s", f.Path, f.Line, more, f.What)
		}
		if seen[g] <= most {
			names = append(names, cut(name, widest))
		}
	}
	return names
}

// mostTold bounds what a person should look at of one kind of concern.
const mostTold = 30

// firstOf are the first of what a person should look at, and the number of the others.
func firstOf(names []string) []string {
	if len(names) <= mostTold {
		return names
	}
	return append(names[:mostTold:mostTold], fmt.Sprintf("and %d more in the diff", len(names)-mostTold))
}
