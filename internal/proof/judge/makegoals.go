package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/syntax"
)

// newGoal matches the beginning of a rule that only has a goal and what it needs, by plain
// names: make expands nothing in it as it reads the file.
var newGoal = lazyregexp.New(`^([A-Za-z][\w-]*(?:[ \t]+[A-Za-z][\w-]*)*)[ \t]*:[ \t]*((?:[\w./-]+[ \t]*)*)(?:#.*)?$`)

// mergerOfMakefile returns how a makefile is merged; nil for one that is a judge as a whole. The
// goals that the work adds are its own, and so are its sources in lists.
func (g *gateRun) mergerOfMakefile(p string) (manifest.Merger, error) {
	base, err := g.ContentOf(g.Before[p])
	if err != nil {
		return nil, err
	}
	work, err := g.ContentOf(g.After[p])
	if err != nil {
		return nil, err
	}
	switch {
	case g.onlyNewGoals(p, base, work):
		return func(_, _ []byte) ([]byte, bool, bool) { return nil, true, true }, nil
	case g.Before[p].ID == "":
		return nil, nil
	}
	return g.mergeLists(p), nil
}

// ContentOf is the content of a file, nil of none.
func (d *Diff) ContentOf(f proof.File) ([]byte, error) {
	if f.ID == "" {
		return nil, nil
	}
	data, err := d.Content(f.ID)
	return append([]byte{}, data...), err
}

// onlyNewGoals reports whether the work adds nothing but goals to a makefile, or a makefile
// with nothing else where its folder has none, and no command of the gate makes them.
func (g *gateRun) onlyNewGoals(p string, base, work []byte) bool {
	asked, made := goalsOf(g.commands)
	if base == nil && (made || g.besideMakefile(p)) {
		return false
	}
	goals, only := newGoals(string(base), string(work))
	return only && !slices.ContainsFunc(goals, func(goal string) bool { return slices.Contains(asked, goal) || IsMakefile(goal) || g.makesFile(goal) })
}

// besideMakefile reports whether the base has a makefile in the folder of a new one, which
// make might read in its place, or any that includes others.
func (d *Diff) besideMakefile(p string) bool {
	return path.Ext(p) != "" || slices.ContainsFunc(d.Base, func(f proof.File) bool { return IsMakefile(f.Path) && proof.DirOf(f.Path) == proof.DirOf(p) })
}

// makesFile reports whether a goal is the name of a file of the base, with its ending or
// without: make may build it for another goal, and builds a makefile before it reads it.
func (d *Diff) makesFile(goal string) bool {
	return slices.ContainsFunc(d.Base, func(f proof.File) bool {
		name := path.Base(f.Path)
		return name == goal || syntax.Before(name, ".") == goal
	})
}

// newGoals are the goals that a makefile has more than another one. only: it has nothing else
// more or less, the rule that make runs by itself is the same, and the other one knows no
// such name.
func newGoals(base, work string) (goals []string, only bool) {
	known := map[string]bool{}
	for _, w := range nameLike.FindAllString(base, -1) {
		known[w] = true
	}
	old, oldPhony := makefileLines(base)
	lines, phony := makefileLines(work)
	var rest []string
	inside := false
	for _, line := range lines {
		m := newGoal.FindStringSubmatch(line)
		switch {
		case m != nil && !slices.ContainsFunc(strings.Fields(m[1]), func(g string) bool { return known[g] }):
			if len(old) > 0 && !slices.ContainsFunc(rest, ruleLine.MatchString) {
				return nil, false
			}
			goals, inside = append(goals, strings.Fields(m[1])...), true
		case inside && strings.HasPrefix(line, "\t"):
		default:
			rest, inside = append(rest, line), false
		}
	}
	for _, name := range phony {
		if !slices.Contains(oldPhony, name) && !slices.Contains(goals, name) {
			return nil, false
		}
	}
	kept := !slices.ContainsFunc(oldPhony, func(name string) bool { return !slices.Contains(phony, name) })
	return goals, kept && slices.Equal(old, rest) && !strings.Contains(base, "define ")
}

// makefileLines are the lines of a makefile without blank ones, comments and those that list
// phony targets, whose names it returns as well.
func makefileLines(text string) (lines, phonies []string) {
	for _, line := range makeLines(text) {
		line = strings.TrimRight(unfolded(line), " \t\r")
		if m := phony.FindStringSubmatch(line); m != nil && !strings.Contains(line, "$") {
			phonies = append(phonies, strings.Fields(m[1])...)
		} else if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines, phonies
}
