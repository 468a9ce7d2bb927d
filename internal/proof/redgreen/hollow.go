package redgreen

import (
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
// call gives) fails there, but passes where those functions return nothing at once.

// hollowed is what the hollowed functions say.
const hollowed = "ralph took out what this function does"

// Function is a function of a source: its name, where it is known, its range, where code at
// its beginning goes, the code by which it fails, the code by which it returns nothing, and
// that by which it gives another value. One that gives no value has only the first.
type Function struct {
	Name             string
	Begin, Body, End int
	fails, idle      string
	other            []insertion
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
	// Other ones do what they do and give another value. Functions that do more than give
	// a value are left as they are, with all others: tests may be about that.
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
	}
	return nil
}

// anything stands for what tests can reach by any name.
const anything = "*"

// Hollowing is how a language's sources are hollowed: their functions with a body, the names
// that the rest declares, where a piece of it is new, what matches pieces that only say which
// parts values have, and what code of Other needs: a change of the source, and a file beside it.
type Hollowing struct {
	Functions func(text string) []Function
	declares  func(rest string, old func(piece string) bool) []string
	shape     *lazyregexp.Regexp
	needs     func(file, text string) (string, *proof.Edit)
}

// HollowingOf returns how functions of a language are found and hollowed.
func HollowingOf(lang string) (how Hollowing, known bool) {
	switch lang {
	case "python":
		return Hollowing{hollowPython, declaredPython, shapeOfPython, nil}, true
	case "go":
		return Hollowing{hollowGo, declaredGo, shapeOfGo, otherGo}, true
	case "js":
		return Hollowing{hollowScript, declaredScript, shapeOfScript, otherScript}, true
	}
	return Hollowing{}, false
}

// Hollowed returns the changes of a commit after which every function that the work wrote
// only does what way says. It returns none where the work has no such function, or holds
// something else that its tests may be about: data, or a value or type that they name.
func Hollowed(base, work []proof.File, way Way, content func(id string) ([]byte, error)) (edits []proof.Edit, err error) {
	before, after := proof.Index(base), proof.Index(work)
	var names, changed []string
	for _, p := range proof.SortedPaths(after) {
		f := after[p]
		if f.ID == before[p].ID || !proof.IsFile(f) || KeptWithTests(p) || proof.IsDocument(strings.ToLower(path.Base(p))) {
			continue
		}
		how, known := HollowingOf(proof.LanguageOf(p))
		if !known {
			if is, err := ofTestsAlone(p, before, after, content); err != nil || !is {
				return nil, err
			}
			continue
		}
		was, now, err := proof.TwoTexts(before[p], f, content)
		if err != nil || max(len(was), len(now)) > syntax.LongestSource {
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
				var beside *proof.Edit
				if text, beside = how.needs(p, text); beside != nil && !slices.ContainsFunc(edits, func(e proof.Edit) bool { return e.Path == beside.Path }) {
					edits = append(edits, *beside)
				}
			}
			edits = append(edits, proof.Edit{Path: p, Mode: f.Mode, Data: []byte(text)})
		}
	}
	if len(edits) == 0 || len(names) == 0 && way != Other {
		return edits, nil
	}
	called := false
	for _, p := range proof.ChangedTests(after, before) {
		data, err := content(after[p].ID)
		if err != nil {
			return nil, err
		}
		words := syntax.Identifier.FindAllString(string(data), -1)
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
func ofTestsAlone(file string, before, after map[string]proof.File, content func(id string) ([]byte, error)) (is bool, err error) {
	name := path.Base(file)
	for _, p := range proof.SortedPaths(after) {
		f := after[p]
		if _, known := HollowingOf(proof.LanguageOf(p)); !known || f.ID == before[p].ID || !proof.IsFile(f) {
			continue
		}
		data, err := content(f.ID)
		if err != nil {
			return false, err
		}
		if strings.Contains(string(data), name) {
			if !KeptWithTests(p) {
				return false, nil
			}
			is = true
		}
	}
	return is, nil
}

// hollow returns a source with its new functions hollowed, their names, and those that the
// rest of what is new declares.
func (h Hollowing) hollow(before, after string, way Way) (text string, functions, names []string) {
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
		if outer && way == Other && f.doesMore(after) {
			return after, nil, []string{anything}
		}
		functions = append(functions, f.Name)
		if outer || way != Other {
			into = append(into, way.of(f)...)
		}
		if outer {
			rest.WriteString(after[kept:f.Begin])
			kept = f.End
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

func hollowPython(text string) (found []Function) {
	all, lines := syntax.Statements(text), []int{0}
	for at, c := range text {
		if c == '\n' {
			lines = append(lines, at+1)
		}
	}
	for i, s := range all {
		body := syntax.BlockOf(all, i)
		if !syntax.PythonFunction.MatchString(s.Text) || len(body) == 0 {
			continue
		}
		first := body[0]
		if len(body) > 1 && syntax.StringStart.MatchString(first.Text) {
			first = body[1] // its text is an attribute of the function
		}
		f := Function{Begin: lines[s.Line-1], Body: lines[first.Line-1], End: len(text)}
		last := body[len(body)-1]
		f.End = min(f.End, lines[last.Line-1]+last.Indent+len(last.Text))
		in := strings.Repeat(" ", first.Indent)
		f.fails = in + `raise AssertionError("` + hollowed + "\")\n"
		f.Name = syntax.PythonFunction.FindStringSubmatch(s.Text)[1]
		if slices.ContainsFunc(body, func(s syntax.Statement) bool { return givesPython.MatchString(s.Text) }) {
			f.idle = in + "return None\n"
			if f.Name != "__hash__" && f.Name != "__new__" {
				f.other = []insertion{{f.Begin, strings.Repeat(" ", s.Indent) + otherPython() + "\n"}}
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
	all := syntax.Statements(rest)
	for i, s := range all {
		if m := classOfPython.FindStringSubmatch(s.Text); m != nil {
			if slices.ContainsFunc(syntax.BlockOf(all, i), func(in syntax.Statement) bool { return !declaresNothing.MatchString(in.Text) && !old(in.Text) }) {
				names = append(names, m[1])
			}
		}
		if !declaresNothing.MatchString(s.Text) && !emptyValue.MatchString(s.Text) && !old(s.Text) {
			names = append(names, syntax.Identifier.FindAllString(syntax.Before(s.Text, "="), -1)...)
			if strings.Contains(s.Text, "lambda") {
				names = append(names, anything)
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool {
		return slices.Contains([]string{"def", "async", "self", "int", "str", "float", "bool", "list", "dict"}, n)
	})
}
