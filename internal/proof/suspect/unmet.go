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

// someFunction matches a function in a task, with its marks.
const someFunction = "(?m)(?:^|[.;:!?]\\s+)(?:[-*]\\s+)?(`?(?:[A-Za-z_]\\w*\\.)*[A-Za-z_]\\w*`?(?:\\([^()\\n]*\\))?`?)\\s+"

var (
	// mustDo matches a sentence that says what a function must do, or two ("Import takes everything.
	// It must check each row"); its groups are the function and the next word.
	mustDo = lazyregexp.New(someFunction + "(?:[a-z][^.;:!?\\n]*[.;:]\\s+[Ii]t\\s+)?(?:must|should|shall|has to|needs to)\\s+(\\w+)")
	// lacks matches a sentence that says what a function is not or does not, and one that asks for it.
	lacks = lazyregexp.New(someFunction + "(?:is|does|can)(?:n't| ?not\\b| never\\b)[^.;:!?\\n]*[.;:]\\s+(?:Make it|Make them|Fix|Correct|Change)\\s+(\\w*)")
	// toFix matches a file that a task asks to repair.
	toFix = lazyregexp.New("\\b(?:[Ff]ix|[Rr]epair|[Cc]orrect|[Rr]ewrite)\\s+`?([\\w./-]*\\w\\.\\w+)")
	// staysSo are words after which a function is asked to stay as it is.
	staysSo = strings.Fields("not never still stay remain keep continue be only")
)

// mustNames are the functions of which a task says that they must do something: the sentence begins
// with their name.
func mustNames(task string) (names []string) {
	for _, m := range slices.Concat(mustDo.FindAllStringSubmatch(task, -1), lacks.FindAllStringSubmatch(task, -1)) {
		name := strings.Trim(syntax.Before(strings.Trim(m[1], "`"), "("), "`")
		if name = name[strings.LastIndexByte(name, '.')+1:]; !slices.Contains(staysSo, m[2]) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// unfixed are the sources of the base that the task asks to repair, where the work leaves them as
// they are and changes nothing that they call. There are none where it changes sources and other
// files, too: it may be in these.
func unfixed(before, after map[string]proof.File, sources declaring, task string) (out []Finding, err error) {
	for _, m := range toFix.FindAllStringSubmatch(task, -1) {
		p := onlyPath(before, m[1])
		if _, known := functionsIn(proof.LanguageOf(p)); !known || before[p].ID != after[p].ID {
			continue
		}
		c, ok, err := sources()
		if err != nil {
			return nil, err
		}
		of := slices.DeleteFunc(slices.Clone(c.was), func(d declaration) bool { return d.path != p })
		if ok && (c.other || len(of) == 0 || reaches(of, unchanged(c.was, c.now), c.changed)) || !ok && len(changedSources(after, before)) > 0 {
			continue
		}
		out = append(out, Finding{Path: p, Line: 1, What: namedByTask})
	}
	return out, nil
}

// onlyPath is the one path of the product that ends with a name; "" is none.
func onlyPath(files map[string]proof.File, name string) (path string) {
	for _, p := range proof.SortedPaths(files) {
		if _, test := proof.IsTest(p); !test && (p == name || strings.HasSuffix(p, "/"+name)) {
			if path != "" {
				return ""
			}
			path = p
		}
	}
	return path
}

// unmet are the functions of the base that the task says must do something, where the work leaves
// them as they are, with all that they call, and no new line speaks of them. There are none where it
// changes files that are no sources.
func unmet(sources declaring, task string) ([]Finding, error) {
	names := mustNames(task)
	if len(names) == 0 {
		return nil, nil
	}
	c, ok, err := sources()
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
