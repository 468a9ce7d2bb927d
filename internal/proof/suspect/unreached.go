package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// A task names what it is about: "Store.Get must cache". Work that writes a cache beside it, and
// tests of that cache, leaves Store.Get as it is.

// namedByTask is what a declaration is that the task names and the work leaves as it is.
const namedByTask = "is named by the task, but neither it nor the code that it calls was changed"

var (
	// taskNames matches what may be a name of code in a task: with a call, in marks, of two
	// parts, or with a letter within that no word of prose has.
	taskNames = lazyregexp.New("`([A-Za-z_]\\w*)[`.(]|\\b([A-Z]\\w*)\\.[A-Za-z_]\\w*|\\b([A-Za-z_]\\w*)\\(|\\b([a-z]+_\\w+|[a-z]+[A-Z]\\w*|[A-Z][a-z]+[A-Z]\\w*)\\b|\\b(?:[Mm]ake|[Ff]ix|[Cc]hange|[Ee]xtend|[Aa]dd|[Ww]rite|[Ii]mplement|[Cc]reate|[Pp]rovide|[Ii]ntroduce|[Ee]xport) ([A-Z]\\w*)\\b")
	// anyName matches a name of code.
	anyName = lazyregexp.New(`[A-Za-z_$][\w$]*`)
)

// withMethods adds to the types of Go the code of their methods, which can be in other files of
// the package.
func withMethods(all []declaration) {
	for i, d := range all {
		for _, m := range all {
			if m.of != "" && m.of == d.name && d.of == "" && proof.DirOf(m.path) == proof.DirOf(d.path) {
				all[i].code += "\n" + m.code
			}
		}
	}
}

// unreached is the declaration of the base that the task names and the work leaves as it is,
// with all that it calls. There is none where the work changes another one that the task names,
// adds one, or calls one in what it changes; nor where it changes files that are no sources.
func unreached(sources declaring, task string) ([]Finding, error) {
	names := namesInTask(task)
	if len(names) == 0 {
		return nil, nil
	}
	c, ok, err := sources()
	if !ok || err != nil || c.other {
		return nil, err
	}
	declares := regexp.MustCompile(named(`\b(?:function\*?|def|func|class|const|let|var|type|interface)\s+(?:\([^)]*\)\s*)?NAME\b`, names))
	if slices.ContainsFunc(c.edits, func(e sourceEdit) bool {
		return len(declares.FindAllString(e.text, -1)) > len(declares.FindAllString(e.old, -1))
	}) {
		return nil, nil // it adds one
	}
	was, now, changed := c.was, c.now, c.changed
	withMethods(was)
	withMethods(now)
	for _, d := range now {
		if at := placeOf(was, d); at >= 0 && was[at].code != d.code {
			changed = append(changed, d.name)
		}
	}
	var of []declaration
	for _, d := range was {
		if slices.Contains(names, d.name) {
			of = append(of, d)
		}
	}
	same := unchanged(was, now)
	changed = slices.DeleteFunc(changed, func(name string) bool { // another type has a method of the name, which is as it was
		return slices.ContainsFunc(same, func(d declaration) bool { return d.name == name })
	})
	if len(of) == 0 || len(changed) == 0 {
		return nil, nil
	}
	if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(changed, n) }) || callsOne(of, c.added) || reaches(of, same, changed) {
		return nil, nil
	}
	if slices.ContainsFunc(of, func(d declaration) bool { return placeOf(now, d) < 0 }) {
		return nil, nil // it is gone, or written so that it is not found
	}
	return []Finding{{Path: of[0].path, Line: now[placeOf(now, of[0])].line, What: namedByTask}}, nil
}

// placeOf is the place of a declaration of that name in the same file; -1 is none.
func placeOf(all []declaration, of declaration) int {
	return slices.IndexFunc(all, func(d declaration) bool { return d.path == of.path && d.name == of.name })
}

// callsOne reports whether code calls one of the declarations.
func callsOne(of []declaration, code string) bool {
	return slices.ContainsFunc(of, func(d declaration) bool {
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(d.name) + `\(`).MatchString(code)
	})
}

// namesInTask are the names of code in a task.
func namesInTask(task string) (names []string) {
	for _, m := range taskNames.FindAllStringSubmatch(task, -1) {
		if name := strings.Join(m[1:], ""); !slices.Contains(names, name) && !strings.HasPrefix(name, "test") {
			names = append(names, name)
		}
	}
	return names
}

// mostSteps bounds how far is followed what a declaration calls.
const mostSteps = 4

// reaches reports whether declarations mention a changed name, or others that do.
func reaches(from, all []declaration, changed []string) bool {
	seen := map[string]bool{}
	for range mostSteps {
		var next []declaration
		for _, d := range from {
			for _, m := range anyName.FindAllStringSubmatch(d.code, -1) {
				if slices.Contains(changed, m[0]) {
					return true
				}
				if seen[m[0]] {
					continue
				}
				seen[m[0]] = true
				for _, other := range all {
					if other.name == m[0] {
						next = append(next, other)
					}
				}
			}
		}
		from = next
	}
	return false
}
