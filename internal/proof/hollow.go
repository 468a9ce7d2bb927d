package proof

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// A test that is red by build fails without the work since it finds no name there. A test
// that imports what the work adds and looks at nothing of it does the same: one that asks
// whether the function is there, puts a mock in its place, or catches its own failure. It
// still passes where every function that the work wrote only fails. One that calls what the
// work adds and compares nothing with the value (it logs the value, or expects what a second
// call gives) fails there, but passes where those functions return nothing at once.

// hollowed is what the hollowed functions say.
const hollowed = "ralph took out what this function does"

// function is a function of a source: its name, where it is known, its range, where code at
// its beginning goes, the code by which it fails, the code by which it returns nothing, and
// that by which it gives another value. One that gives no value has only the first.
type function struct {
	name             string
	begin, body, end int
	fails, idle      string
	other            []insertion
}

// insertion is code that goes into a source.
type insertion struct {
	at   int
	text string
}

// Hollow is how functions are hollowed: the code that goes into each.
type Hollow int

const (
	// Failing functions only fail.
	Failing Hollow = iota
	// Idle ones return nothing in the place of a value.
	Idle
	// Other ones do what they do and give another value. Functions that do more than give
	// a value are left as they are, with all others: tests may be about that.
	Other
)

func (h Hollow) of(f function) []insertion {
	switch {
	case h == Failing:
		return []insertion{{f.body, f.fails}}
	case h == Other:
		return f.other
	case f.idle != "":
		return []insertion{{f.body, f.idle}}
	}
	return nil
}

// anything stands for what tests can reach by any name.
const anything = "*"

// hollowing is how a language's sources are hollowed: their functions with a body, the names
// that the rest declares, where a piece of it is new, what matches pieces that only say which
// parts values have, and what code of Other needs: a change of the source, and a file beside it.
type hollowing struct {
	functions func(text string) []function
	declares  func(rest string, old func(piece string) bool) []string
	shape     *lazyregexp.Regexp
	needs     func(file, text string) (string, *Edit)
}

func hollowingOf(lang string) (how hollowing, known bool) {
	switch lang {
	case "python":
		return hollowing{hollowPython, declaredPython, shapeOfPython, nil}, true
	case "go":
		return hollowing{hollowGo, declaredGo, shapeOfGo, otherGo}, true
	case "js":
		return hollowing{hollowScript, declaredScript, shapeOfScript, otherScript}, true
	}
	return hollowing{}, false
}

// Hollowed returns the changes of a commit after which every function that the work wrote
// only does what way says. It returns none where the work has no such function, or holds
// something else that its tests may be about: data, or a value or type that they name.
func Hollowed(base, work []File, way Hollow, content func(id string) ([]byte, error)) (edits []Edit, err error) {
	before, after := index(base), index(work)
	var names, changed []string
	for _, p := range sortedPaths(after) {
		f := after[p]
		if f.ID == before[p].ID || !isFile(f) || keptWithTests(p) || isDocument(strings.ToLower(path.Base(p))) {
			continue
		}
		how, known := hollowingOf(languageOf(p))
		if !known {
			if is, err := ofTestsAlone(p, before, after, content); err != nil || !is {
				return nil, err
			}
			continue
		}
		was, now, err := twoTexts(before[p], f, content)
		if err != nil || max(len(was), len(now)) > longestSource {
			return nil, err
		}
		text, into, rest := how.hollow(was, now, way)
		changed = append(changed, into...)
		if slices.Contains(rest, anything) || len(rest) > 0 && before[p].ID != "" {
			return nil, nil // other code than the work's functions may use it
		}
		names = append(names, rest...)
		if text != now {
			if way == Other && how.needs != nil {
				var beside *Edit
				if text, beside = how.needs(p, text); beside != nil && !slices.ContainsFunc(edits, func(e Edit) bool { return e.Path == beside.Path }) {
					edits = append(edits, *beside)
				}
			}
			edits = append(edits, Edit{Path: p, Mode: f.Mode, Data: []byte(text)})
		}
	}
	if len(edits) == 0 || len(names) == 0 && way != Other {
		return edits, nil
	}
	called := false
	for _, p := range changedTests(after, before) {
		data, err := content(after[p].ID)
		if err != nil {
			return nil, err
		}
		words := identifier.FindAllString(string(data), -1)
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(names, word) }) {
			return nil, nil
		}
		called = called || slices.ContainsFunc(words, func(word string) bool { return slices.Contains(changed, word) })
	}
	if way == Other && !called {
		return nil, nil // the tests may be about the parts of a new type
	}
	return edits, nil
}

// ofTestsAlone reports whether changed tests name a file of data by its last name, and no
// changed source of the product does.
func ofTestsAlone(file string, before, after map[string]File, content func(id string) ([]byte, error)) (is bool, err error) {
	name := path.Base(file)
	for _, p := range sortedPaths(after) {
		f := after[p]
		if _, known := hollowingOf(languageOf(p)); !known || f.ID == before[p].ID || !isFile(f) {
			continue
		}
		data, err := content(f.ID)
		if err != nil {
			return false, err
		}
		if strings.Contains(string(data), name) {
			if !keptWithTests(p) {
				return false, nil
			}
			is = true
		}
	}
	return is, nil
}

// twoTexts are those of a file on the base and on the work; "" where it is not there.
func twoTexts(base, work File, content func(id string) ([]byte, error)) (was, now string, err error) {
	for _, of := range []struct {
		id string
		to *string
	}{{base.ID, &was}, {work.ID, &now}} {
		if of.id == "" {
			continue
		}
		data, err := content(of.id)
		if err != nil {
			return "", "", err
		}
		*of.to = string(data)
	}
	return was, now, nil
}

// hollow returns a source with its new functions hollowed, their names, and those that the
// rest of what is new declares.
func (h hollowing) hollow(before, after string, way Hollow) (text string, functions, names []string) {
	var old []string
	for _, f := range h.functions(before) {
		old = append(old, before[f.begin:f.end])
	}
	var into []insertion
	var rest strings.Builder
	kept := 0
	for _, f := range h.functions(after) {
		if slices.Contains(old, after[f.begin:f.end]) {
			continue
		}
		outer := f.begin >= kept
		if outer && way == Other && f.doesMore(after) {
			return after, nil, []string{anything}
		}
		functions = append(functions, f.name)
		if outer || way != Other {
			into = append(into, way.of(f)...)
		}
		if outer {
			rest.WriteString(after[kept:f.begin])
			kept = f.end
		}
	}
	rest.WriteString(after[kept:])
	return inserted(after, into), functions, h.declares(rest.String(), func(piece string) bool {
		return strings.Contains(before, piece) || way == Other && h.shape.MatchString(piece)
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

func hollowPython(text string) (found []function) {
	all, lines := statements(text), []int{0}
	for at, c := range text {
		if c == '\n' {
			lines = append(lines, at+1)
		}
	}
	for i, s := range all {
		body := blockOf(all, i)
		if !pythonFunction.MatchString(s.text) || len(body) == 0 {
			continue
		}
		first := body[0]
		if len(body) > 1 && stringStart.MatchString(first.text) {
			first = body[1] // its text is an attribute of the function
		}
		f := function{begin: lines[s.line-1], body: lines[first.line-1], end: len(text)}
		last := body[len(body)-1]
		f.end = min(f.end, lines[last.line-1]+last.indent+len(last.text))
		in := strings.Repeat(" ", first.indent)
		f.fails = in + `raise AssertionError("` + hollowed + "\")\n"
		f.name = pythonFunction.FindStringSubmatch(s.text)[1]
		if slices.ContainsFunc(body, func(s statement) bool { return givesPython.MatchString(s.text) }) {
			f.idle = in + "return None\n"
			if f.name != "__hash__" && f.name != "__new__" {
				f.other = []insertion{{f.begin, strings.Repeat(" ", s.indent) + otherPython() + "\n"}}
			}
		}
		found = append(found, f)
	}
	return found
}

var (
	givesPython = lazyregexp.New(`^return\s+[^\s#]|\byield\b`)
	// declaresNothing matches a statement of Python that makes no value which a test can be about.
	declaresNothing = lazyregexp.New(`^(?:import|from|class|@|if __name__|pass\b|[rRuU]?["'])`)
	emptyValue      = lazyregexp.New(`^[\w.:, \[\]|]+=\s*(?:\[\s*\]|\{\s*\}|\(\s*\)|set\(\)|dict\(\)|list\(\)|None|""|'')$`)
	classOfPython   = lazyregexp.New(`^class\s+(\w+)`)
)

// declaredPython: a class with values of its own is one itself.
func declaredPython(rest string, old func(string) bool) (names []string) {
	all := statements(rest)
	for i, s := range all {
		if m := classOfPython.FindStringSubmatch(s.text); m != nil {
			if slices.ContainsFunc(blockOf(all, i), func(in statement) bool { return !declaresNothing.MatchString(in.text) && !old(in.text) }) {
				names = append(names, m[1])
			}
		}
		if !declaresNothing.MatchString(s.text) && !emptyValue.MatchString(s.text) && !old(s.text) {
			names = append(names, identifier.FindAllString(before(s.text, "="), -1)...)
			if strings.Contains(s.text, "lambda") {
				names = append(names, anything)
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool {
		return slices.Contains([]string{"def", "async", "self", "int", "str", "float", "bool", "list", "dict"}, n)
	})
}
