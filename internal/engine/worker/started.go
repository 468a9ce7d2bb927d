package worker

import (
	"context"
	"path"
	"regexp"
	"slices"

	"ralph/internal/proof"
)

// started runs the gates with the judge files that the work changed as they are, such as a
// Makefile or a program that checks: without them none starts the tests that the work adds, and
// with them go cases that a script finds. accept asks about them. A script of a shell is no test
// itself, unless a person permitted to change it.
func (r *proving) started(ctx context.Context, undo []proof.Edit) error {
	var judges, tested []string
	for _, of := range r.state.Last().Results {
		judges, tested = append(judges, of.Permitted...), append(tested, of.Permitted...)
		if of.Judging != nil {
			judges, tested = slices.Concat(judges, of.Judging.SetAside, of.Judging.NewTests), append(tested, of.Judging.NewTests...)
		}
	}
	cases, err := r.newCases(ctx, undo)
	if err != nil {
		return err
	}
	judges, tested = append(judges, cases...), append(tested, cases...)
	rest := slices.DeleteFunc(slices.Clone(undo), func(e proof.Edit) bool { return slices.Contains(judges, e.Path) })
	tests := len(proof.ChangedTests(proof.Index(r.work), proof.Index(r.base))) > 0 || slices.ContainsFunc(undo, func(e proof.Edit) bool {
		lang := proof.LanguageOf(e.Path) // a program that checks
		return slices.Contains(tested, e.Path) || slices.Contains(judges, e.Path) && lang != "" && lang != "shell" && !proof.IsConfig(e.Path)
	})
	if len(rest) == len(undo) || len(rest) == 0 || !tests {
		return nil
	}
	return r.without(ctx, rest)
}

// newCases are files that the work adds beside others of their ending, where a gate's script finds
// them by a pattern, and that are no sources of a language.
func (r *proving) newCases(ctx context.Context, undo []proof.Edit) (cases []string, err error) {
	duties, err := r.dutiesOf(ctx, r.state.Base, r.gates...)
	if err != nil {
		return nil, err
	}
	found := func(dir string) *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[^\w-])` + regexp.QuoteMeta(path.Base(dir)) + `/\*`)
	}
	for _, e := range undo {
		dir, end := path.Dir(e.Path), path.Ext(e.Path)
		beside := func(f proof.File) bool { return path.Dir(f.Path) == dir && path.Ext(f.Path) == end }
		if e.Mode == "" && end != "" && proof.LanguageOf(e.Path) == "" && dir != "." && found(dir).MatchString(duties.Texts) && slices.ContainsFunc(r.base, beside) {
			cases = append(cases, e.Path)
		}
	}
	return cases, nil
}
