package redgreen

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A test that is red by build fails without the work since it finds no name there. A test
// that imports what the work adds and looks at nothing of it does the same: one that asks
// whether the function is there, puts a mock in its place, or catches its own failure. It
// still passes where every function that the work wrote only fails. One that calls what the
// work adds and compares nothing with the value (it logs the value, or expects what a second
// call gives) fails there, but passes where those functions return nothing at once; one that calls
// what should change something and looks at no change passes where they do nothing at all.

// hollowed is what the hollowed functions say.
const hollowed = "ralph took out what this function does"

// Function is a function of a source: its name, where it is known, its range, where code at
// its beginning goes, the code by which it fails, the code by which it returns nothing, or does
// nothing where it gives no value, and that by which it gives another value.
type Function struct {
	Name              string
	Begin, Body, End  int
	fails, idle, ends string
	other             []insertion
}

// insertion is code that goes into a source.
type insertion struct {
	at   int
	text string
}

// Way is how functions are hollowed: the code that goes into each.
type Way int

const (
	// Failing functions only fail.
	Failing Way = iota
	// Idle ones return nothing in the place of a value.
	Idle
	// Inert ones are idle, and those without a value do nothing, but for what begins an object.
	// It changes nothing where all functions give values.
	Inert
	// Other ones do what they do and give another value. Functions that do more than give
	// a value are left as they are; where tests name one, so are all others: they may be about
	// that.
	Other
)

func (h Way) of(f Function) []insertion {
	switch {
	case h == Failing:
		return []insertion{{f.Body, f.fails}}
	case h == Other:
		return f.other
	case f.idle != "":
		return []insertion{{f.Body, f.idle}}
	case h == Inert && !f.begins():
		return []insertion{{f.Body, f.ends}}
	}
	return nil
}

// begins reports whether a function is what begins an object, or another of Python's that it
// calls by itself.
func (f Function) begins() bool {
	return f.Name == "constructor" || f.idle == "" && strings.HasPrefix(f.Name, "__")
}

// anything stands for what tests can reach by any name.
const anything = "*"

// Hollowing is how a language's sources are hollowed: their functions with a body, the names
// that the rest declares, where a piece of it is new, what matches pieces that only say which
// parts values have, and what code of Other needs: a change of the source, and a file beside it.
// product is a source without the tests that it has, nil where it has none. alone: functions of
// one file can give other values, since they know of no others.
type Hollowing struct {
	Functions func(text string) []Function
	product   func(text string) string
	alone     bool
	declares  func(rest string, old func(piece string) bool) []string
	shape     *lazyregexp.Regexp
	needs     func(file, text string) (string, *proof.Edit)
}

// HollowingOf returns how functions of a language are found and hollowed.
func HollowingOf(lang string) (how Hollowing, known bool) {
	switch lang {
	case "python":
		return Hollowing{Functions: hollowPython, declares: declaredPython, shape: shapeOfPython}, true
	case "go":
		return Hollowing{Functions: hollowGo, declares: declaredGo, shape: shapeOfGo, needs: otherGo}, true
	case "js":
		return Hollowing{Functions: hollowScript, declares: declaredScript, shape: shapeOfScript, needs: otherScript}, true
	case "rust":
		return Hollowing{Functions: hollowRust, product: productRust, alone: true, declares: declaredRust, shape: shapeOfRust, needs: otherRust}, true
	}
	return Hollowing{}, false
}

// Hollowed returns the changes of a commit after which every function that the work wrote
// only does what way says. It returns none where the work has no such function, or holds
// something else that its tests may be about: data, or a value or type that they name.
func Hollowed(base, work []proof.File, way Way, content func(id string) ([]byte, error)) (edits []proof.Edit, err error) {
	before, after := proof.Index(base), proof.Index(work)
	tests, err := wordsOfTests(before, after, content)
	if err != nil {
		return nil, err
	}
	var names, changed, inside []string
	inert := false
	for _, p := range proof.SortedPaths(after) {
		f := after[p]
		if f.ID == before[p].ID || !proof.IsFile(f) || KeptWithTests(p) || proof.IsDocument(strings.ToLower(path.Base(p))) {
			continue
		}
		how, known := HollowingOf(proof.LanguageOf(p))
		if !known {
			if used, err := usedBySources(p, before, after, content); err != nil || used || compiledBeside(p, before) {
				return nil, err
			}
			continue
		}
		was, now, err := proof.TwoTexts(before[p], f, content)
		if err != nil || max(len(was), len(now)) > syntax.LongestSource {
			return nil, err
		}
		text, into, rest := how.hollow(was, now, way, tests)
		changed = append(changed, into...)
		shared := func(name string) bool { return before[p].ID != "" && strings.Contains(was, name) }
		if slices.Contains(rest, anything) || slices.ContainsFunc(rest, shared) {
			return nil, nil // other code than the work's functions may use it
		}
		if way == Inert {
			inert = inert || slices.ContainsFunc(how.Functions(now), func(f Function) bool { return f.idle == "" && slices.Contains(into, f.Name) && !f.begins() })
		}
		names = append(names, rest...)
		if how.product != nil {
			inside = append(inside, syntax.Identifier.FindAllString(testsIn(now, how.product(now)), -1)...)
		}
		if text != now {
			if way == Other && how.alone && len(edits) > 0 {
				return nil, nil
			}
			if way == Other && how.needs != nil {
				var beside *proof.Edit
				if text, beside = how.needs(p, text); beside != nil && !slices.ContainsFunc(edits, func(e proof.Edit) bool { return e.Path == beside.Path }) {
					edits = append(edits, *beside)
				}
			}
			edits = append(edits, proof.Edit{Path: p, Mode: f.Mode, Data: []byte(text)})
		}
	}
	if way == Inert && !inert {
		return nil, nil
	}
	if len(edits) == 0 || len(names) == 0 && way != Other {
		return edits, nil
	}
	for _, word := range inside {
		tests[word] = true
	}
	asks := func(name string) bool { return tests[name] }
	if slices.ContainsFunc(names, asks) || way == Other && !slices.ContainsFunc(changed, asks) {
		return nil, nil // the tests may be about the parts of a new type
	}
	return edits, nil
}

// wordsOfTests are the names that changed tests have.
func wordsOfTests(before, after map[string]proof.File, content func(id string) ([]byte, error)) (map[string]bool, error) {
	words := map[string]bool{}
	for _, p := range proof.ChangedTests(after, before) {
		data, err := content(after[p].ID)
		if err != nil {
			return nil, err
		}
		for _, word := range syntax.Identifier.FindAllString(string(data), -1) {
			words[word] = true
		}
	}
	return words, nil
}

// testsIn is what a source has beyond its product, which is as long.
func testsIn(source, product string) string {
	var b strings.Builder
	for i := range len(source) {
		if source[i] != product[i] {
			b.WriteByte(source[i])
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// compiledBeside reports whether a file is a source of another language that the base has, but
// for scripts of a shell: tests can be about what is built of it.
func compiledBeside(file string, before map[string]proof.File) bool {
	lang := proof.LanguageOf(file)
	return lang != "" && lang != "shell" && slices.ContainsFunc(slices.Collect(maps.Keys(before)), func(p string) bool { return proof.LanguageOf(p) == lang })
}

// usedBySources reports whether a changed source of the product names a file that has no
// functions: by its last name, its ending or its folder. One that tests alone name is theirs, and
// one that nothing names (.gitignore, a script beside) is about something else.
func usedBySources(file string, before, after map[string]proof.File, content func(id string) ([]byte, error)) (bool, error) {
	names := []string{path.Base(file)}
	if dir, end := path.Base(path.Dir(file)), path.Ext(file); end != path.Base(file) {
		names = append(names, end+`"`, end+"'", end+"`")
		if dir != "." {
			names = append(names, dir+"/", `"`+dir+`"`, "'"+dir+"'")
		}
	}
	for _, p := range proof.SortedPaths(after) {
		f := after[p]
		if _, known := HollowingOf(proof.LanguageOf(p)); !known || f.ID == before[p].ID || !proof.IsFile(f) || KeptWithTests(p) {
			continue
		}
		data, err := content(f.ID)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(string(data), name) }) {
			return true, nil
		}
	}
	return false, nil
}

// hollow returns a source with its new functions hollowed, their names, and those that the
// rest of what is new declares. tests are the names that changed tests have.
func (h Hollowing) hollow(before, after string, way Way, tests map[string]bool) (text string, functions, names []string) {
	whole := after
	if h.product != nil {
		before, after = h.product(before), h.product(after)
	}
	var old []string
	for _, f := range h.Functions(before) {
		old = append(old, before[f.Begin:f.End])
	}
	var into []insertion
	var rest strings.Builder
	kept := 0
	for _, f := range h.Functions(after) {
		if slices.Contains(old, after[f.Begin:f.End]) {
			continue
		}
		outer := f.Begin >= kept
		more := outer && way == Other && f.doesMore(after, tests)
		if more && (f.Name == "" || tests[f.Name]) {
			return whole, nil, []string{anything}
		}
		if !more {
			functions = append(functions, f.Name)
		}
		if !more && (outer || way != Other) {
			into = append(into, way.of(f)...)
		}
		if outer {
			rest.WriteString(after[kept:f.Begin])
			kept = f.End
		}
	}
	rest.WriteString(after[kept:])
	plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	was := plain(before)
	return inserted(whole, into), functions, h.declares(rest.String(), func(piece string) bool {
		return strings.Contains(was, plain(piece)) || way == Other && h.shape.MatchString(piece)
	})
}

// inserted puts code into a source; of what goes to one place the first comes first.
func inserted(text string, into []insertion) string {
	slices.SortStableFunc(into, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	wrote := 0
	for _, i := range into {
		b.WriteString(text[wrote:i.at] + i.text)
		wrote = i.at
	}
	return b.String() + text[wrote:]
}
