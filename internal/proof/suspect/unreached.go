package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/redgreen"
	"ralph/internal/proof/syntax"
)

// A task names what it is about: "Store.Get must cache". Work that writes a cache beside it, and
// tests of that cache, leaves Store.Get as it is.

// namedByTask is what a declaration is that the task names and the work leaves as it is.
const namedByTask = "is what the task names, and the work neither changes it nor what it calls"

var (
	// taskNames matches what may be a name of code in a task: with a call, in marks, of two
	// parts, or with a letter within that no word of prose has.
	taskNames = lazyregexp.New("`([A-Za-z_]\\w*)[`.(]|\\b([A-Z]\\w*)\\.[A-Za-z_]\\w*|\\b([A-Za-z_]\\w*)\\(|\\b([a-z]+_\\w+|[a-z]+[A-Z]\\w*|[A-Z][a-z]+[A-Z]\\w*)\\b|\\b(?:[Mm]ake|[Ff]ix|[Cc]hange|[Ee]xtend) ([A-Z]\\w*)\\b")
	classHead = lazyregexp.New(`(?m)^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(\w+)|^type\s+(\w+)\s`)
	anyName   = lazyregexp.New(`[A-Za-z_$][\w$]*`)
	// madeValue matches a line that gives a name of a module a value.
	madeValue = lazyregexp.New(`(?m)^(?:export\s+)?(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?=[^=]`)
)

// declaration is a function, class or type of the product, with its code, and the type whose
// method it is in Go. kind: it is a class or type.
type declaration struct {
	path, name, code string
	line             int
	of               string
	kind             bool
}

// declarations are those of a source. The code of a class or type has that of its methods.
func declarations(p, lang, text string) (out []declaration) {
	how, known := functionsIn(lang)
	if !known {
		return nil
	}
	for _, f := range how.Functions(text) {
		if f.Name != "" {
			d := declaration{path: p, name: f.Name, code: codeOf(lang, decorators(text, f.Begin)+text[f.Begin:f.End]), line: lineOf(text, f.Begin)}
			if m := methodOfGo.FindStringSubmatch(text[f.Begin:f.End]); m != nil && lang == "go" {
				d.of = m[1]
			}
			out = append(out, d)
		}
	}
	for _, m := range classHead.FindAllStringSubmatchIndex(text, -1) {
		name := text[max(m[2], m[4]):max(m[3], m[5])]
		end := strings.Index(text[m[1]:], "\n}")
		if lang == "python" {
			end = unindented(text[m[1]:])
		}
		if end < 0 {
			end = strings.IndexByte(text[m[1]:]+"\n", '\n')
		}
		out = append(out, declaration{path: p, name: name, code: codeOf(lang, text[m[0]:m[1]+end]), line: lineOf(text, m[0]), kind: true})
	}
	return out
}

// decorators are the lines of decorators above what begins in a text.
func decorators(text string, begin int) string {
	end := strings.LastIndexByte(text[:begin], '\n') + 1
	start := end
	for start > 0 {
		above := strings.LastIndexByte(text[:start-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(text[above:start]), "@") {
			break
		}
		start = above
	}
	return text[start:end]
}

var methodOfGo = lazyregexp.New(`^func \([^()]*?\b(\w+)(?:\[[^\]]*\])?\)`)

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

var backAtMargin = lazyregexp.New(`\n[^\s#)\]}]`)

// unindented is where a block of Python ends that begins in a text.
func unindented(text string) int {
	if at := backAtMargin.FindIndex([]byte(text)); at != nil {
		return at[0]
	}
	return len(text)
}

// unreached is the declaration of the base that the task names and the work leaves as it is,
// with all that it calls. There is none where the work changes another one that the task names,
// adds one, or calls one in what it changes; nor where it changes files that are no sources.
func unreached(before, after map[string]proof.File, task string, content func(id string) ([]byte, error)) ([]Finding, error) {
	names := namesInTask(task)
	if len(names) == 0 {
		return nil, nil
	}
	sources := slices.DeleteFunc(proof.SortedPaths(after), func(p string) bool { _, known := functionsIn(proof.LanguageOf(p)); return !known })
	if len(sources) > mostDeclaring {
		return nil, nil
	}
	var was, now []declaration
	var changed []string
	added := ""
	for _, p := range proof.SortedPaths(after) {
		lang := proof.LanguageOf(p)
		_, known := functionsIn(lang)
		if f := after[p]; redgreen.KeptWithTests(p) || !proof.IsFile(f) || !known {
			if f.ID != before[p].ID && !redgreen.KeptWithTests(p) && !proof.IsDocument(strings.ToLower(p)) {
				return nil, nil
			}
			continue
		}
		old, text, err := proof.TwoTexts(before[p], after[p], content)
		switch long := max(len(old), len(text)) > syntax.LongestSource; {
		case err != nil:
			return nil, err
		case long && old == text:
			continue
		case long: // it may change what the task names, and Find says that it is not searched
			return nil, nil
		}
		if declares := named(`\b(?:function\*?|def|func|class|const|let|var|type|interface)\s+(?:\([^)]*\)\s*)?NAME\b`, names); old != text &&
			len(regexp.MustCompile(declares).FindAllString(text, -1)) > len(regexp.MustCompile(declares).FindAllString(old, -1)) {
			return nil, nil // it adds one
		}
		of, in := declarations(p, lang, old), declarations(p, lang, text)
		was, now = append(was, of...), append(now, in...)
		for _, d := range in {
			if !slices.ContainsFunc(of, func(o declaration) bool { return o.name == d.name && o.code == d.code }) {
				changed, added = append(changed, d.name), added+"\n"+d.code
			}
		}
		changed = append(changed, newValues(old, text)...)
		if old != text && codeOf(lang, old) != codeOf(lang, text) && len(changed) == 0 {
			return nil, nil // it changes something else than declarations
		}
	}
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
	same := slices.DeleteFunc(slices.Clone(now), func(d declaration) bool {
		return !slices.ContainsFunc(was, func(o declaration) bool { return o.path == d.path && o.name == d.name && o.code == d.code })
	})
	changed = slices.DeleteFunc(changed, func(name string) bool { // another type has a method of the name, which is as it was
		return slices.ContainsFunc(same, func(d declaration) bool { return d.name == name })
	})
	if len(of) == 0 || len(changed) == 0 {
		return nil, nil
	}
	if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(changed, n) }) || callsOne(of, added) || reaches(of, same, changed) {
		return nil, nil
	}
	if slices.ContainsFunc(of, func(d declaration) bool { return placeOf(now, d) < 0 }) {
		return nil, nil // it is gone, or written so that it is not found
	}
	return []Finding{{Path: of[0].path, Line: now[placeOf(now, of[0])].line, What: namedByTask}}, nil
}

// newValues are the names of a module that get another value, in lines that the base does not have.
func newValues(old, text string) (names []string) {
	lines := map[string]bool{}
	syntax.AddLines(lines, old)
	for line := range strings.Lines(text) {
		if m := madeValue.FindStringSubmatch(line); m != nil && !lines[strings.TrimSpace(line)] {
			names = append(names, m[1])
		}
	}
	return names
}

// placeOf is the place of a declaration of that name in the same file; -1 is none.
func placeOf(all []declaration, of declaration) int {
	return slices.IndexFunc(all, func(d declaration) bool { return d.path == of.path && d.name == of.name })
}

// mostDeclaring bounds the sources in which declarations are looked for.
const mostDeclaring = 400

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
