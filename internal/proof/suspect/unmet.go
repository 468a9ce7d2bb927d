package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A task can ask for several things: "register() must check its input. Add check(email)." Work that
// adds one of them leaves the others as they are.

var (
	// mustDo matches a sentence that says what a function must do, or two ("Import takes everything.
	// It must check each row"); its groups are the function, with its marks, and the next word.
	mustDo = lazyregexp.New("(?m)(?:^|[.;:!?]\\s+)(?:[-*]\\s+)?(`?(?:[A-Za-z_]\\w*\\.)*[A-Za-z_]\\w*`?(?:\\([^()\\n]*\\))?`?)\\s+(?:[a-z][^.;:!?\\n]*[.;:]\\s+[Ii]t\\s+)?(?:must|should|shall|has to|needs to)\\s+(\\w+)")
	// staysSo are words after which a function is asked to stay as it is.
	staysSo = strings.Fields("not never still stay remain keep continue be only")
)

// mustNames are the functions of which a task says that they must do something: the sentence begins
// with their name.
func mustNames(task string) (names []string) {
	for _, m := range mustDo.FindAllStringSubmatch(task, -1) {
		name := strings.Trim(syntax.Before(strings.Trim(m[1], "`"), "("), "`")
		if name = name[strings.LastIndexByte(name, '.')+1:]; !slices.Contains(staysSo, m[2]) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// unmet are the functions of the base that the task says must do something, where the work leaves
// them as they are, with all that they call, and no new line speaks of them. There are none where it
// changes files that are no sources.
func unmet(before, after map[string]proof.File, task string, content func(id string) ([]byte, error)) ([]Finding, error) {
	names := mustNames(task)
	if len(names) == 0 {
		return nil, nil
	}
	c, ok, err := redeclaredIn(before, after, content)
	if !ok || err != nil || len(c.edits) == 0 {
		return nil, err
	}
	fresh := ""
	for _, e := range c.edits {
		lines := map[string]bool{}
		syntax.AddLines(lines, e.old)
		fresh += syntax.WithoutComments(e.lang, syntax.NewPart(e.text, lines)) + "\n"
	}
	was, same := c.was, unchanged(c.was, c.now)
	for _, all := range [][]declaration{was, same} {
		for i, d := range all { // a new field of its type is no change of a method
			all[i].code = methodOfGo.ReplaceAllString(d.code, "func ()")
		}
	}
	var out []Finding
	for _, name := range names {
		other := func(d declaration) bool { return d.name != name || d.kind }
		of, as := slices.DeleteFunc(slices.Clone(was), other), slices.DeleteFunc(slices.Clone(same), other)
		if len(of) == 0 || len(as) < len(of) || reaches(of, same, c.changed) || regexp.MustCompile(`\b`+name+`\b`).MatchString(fresh) {
			continue
		}
		out = append(out, Finding{Path: as[0].path, Line: as[0].line, What: namedByTask})
	}
	return out, nil
}
