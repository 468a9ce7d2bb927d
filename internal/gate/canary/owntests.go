package canary

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// maxOwn is the number of the project's own tests that are made to fail. A runner
// lists about twice as many failures before it cuts the list.
const maxOwn = 500

// failing makes the tests of a file fail, and returns their names: those that end with a
// literal, and are returned as other too, expect another one, and the rest fails at the end,
// after it used the product. Tests that it does not understand stay as they are.
func failing(file, text string, word func() string) (changed string, names, other []string) {
	text, other = expectingOther(file, text)
	switch path.Ext(file) {
	case ".go":
		changed, names = failingGo(text, other)
	case ".py":
		changed, names = failingPython(text, other, word)
	case ".rs":
		changed, names = failingRust(text, other, word)
	case ".rb", ".php":
		changed, names = failingBlocks(path.Ext(file), text)
	case ".java":
		changed, names = failingJava(text)
	default:
		changed, names = failingScript(file, text, other, word)
	}
	return changed, names, other
}

var goTest = lazyregexp.New(`(?m)^func (Test\w*)\((\w+) \*testing\.T\) \{`)

func failingGo(text string, other []string) (string, []string) {
	var names []string
	text = goTest.ReplaceAllStringFunc(text, func(head string) string {
		m := goTest.FindStringSubmatch(head)
		if m[2] == "_" || m[1] == "TestMain" {
			return head
		}
		names = append(names, m[1])
		if slices.Contains(other, m[1]) {
			return head
		}
		return head + fmt.Sprintf(` defer %s.Errorf("got %%d, want %%d", 1, 2);`, m[2])
	})
	return text, names
}

// pythonTest finds functions of a module and methods of its classes.
var pythonTest = lazyregexp.New(`(?m)^(?:    |\t)?(?:async )?def (test\w*)\([^()\n]*\)(?: *->[^:\n]*)?:(?:[ \t]*(?:#[^\n]*)?\n\s*?([ \t]+))?`)

// pythonWrap replaces the tests of a module at its end, so that it need not be
// parsed. functools.wraps keeps the parameters that pytest looks for. A test fails if
// its body ran, which leaves a mark, and every form of assertion raises; a body that
// the product exchanged leaves none.
const pythonWrap = `

MARKS = set()


def WRAP(body):
    import functools, inspect, unittest

    def fail(args):
        if body.__name__ not in MARKS or body.__name__ in OTHER:
            return
        case = args[0] if args else None
        if not isinstance(case, unittest.TestCase):
            assert 1 == 2
        for form in (lambda: case.assertEqual(1, 2), lambda: case.assertTrue(False), lambda: case.assertIn(1, []), lambda: case.assertIsNone(1), lambda: case.assertRaises(ValueError, int, '1')):
            try:
                form()
            except AssertionError:
                continue
            return
        case.fail('not equal')

    if inspect.iscoroutinefunction(body):
        @functools.wraps(body)
        async def test(*args, **named):
            await body(*args, **named)
            fail(args)
    else:
        @functools.wraps(body)
        def test(*args, **named):
            body(*args, **named)
            fail(args)
    return test


def EACH():
    import inspect
    for key, value in list(globals().items()):
        if inspect.isfunction(value) and key.startswith('test'):
            globals()[key] = WRAP(value)
        elif inspect.isclass(value) and value.__module__ == __name__:
            for name, method in list(vars(value).items()):
                if inspect.isfunction(method) and name.startswith('test'):
                    setattr(value, name, WRAP(method))


EACH()
`

func failingPython(text string, other []string, word func() string) (string, []string) {
	var names []string
	marks := word()
	text = pythonTest.ReplaceAllStringFunc(text, func(head string) string {
		m := pythonTest.FindStringSubmatch(head)
		names = append(names, m[1])
		mark := fmt.Sprintf("%s.add('%s')", marks, m[1])
		if indent := m[2]; indent != "" {
			return head + mark + "\n" + indent
		}
		return head + " " + mark + ";"
	})
	if len(names) == 0 {
		return text, nil
	}
	return before(text, "\nif __name__", strings.NewReplacer("MARKS", marks, "WRAP", word(), "EACH", word(), "OTHER", listOf(other)).Replace(pythonWrap)), names
}

var rustTest = lazyregexp.New(`#\[test\]\s*((?:#\[[^\]]*\]\s*)*)(?:pub\s+)?fn (\w+)\(\)[^{;]*\{`)

// failingRust leaves a value in each test that panics when it is dropped.
func failingRust(text string, other []string, word func() string) (string, []string) {
	var names []string
	text = rustTest.ReplaceAllStringFunc(text, func(head string) string {
		m := rustTest.FindStringSubmatch(head)
		if strings.Contains(m[1], "should_panic") {
			return head
		}
		names = append(names, m[2])
		if slices.Contains(other, m[2]) {
			return head
		}
		kind := title(word())
		return head + fmt.Sprintf(" struct %[1]s; impl Drop for %[1]s { fn drop(&mut self) { if !std::thread::panicking() { assert_eq!(1, 2); } } } let _last = %[1]s;", kind)
	})
	return text, names
}

var scriptTest = lazyregexp.New(`(^|[^.\w$])(test|it)\((\s*)(?:"([^"\\\n]+)"|'([^'\\\n]+)')\s*,`)

// scriptWrap gives the runner's function a test that fails at its end. Its length and
// text are those of the test: runners look there for what a test takes.
const scriptWrap = `
function NAME(runTYPE) {
  return (...argsTYPES) => {
    const at = args.map((a) => typeof a).lastIndexOf('function')
    if (at < 0) return run(...args)
    const body = args[at]
    const fail = () => {
      if (OTHER.includes(args[0])) return
      const formsTYPE = []
      if (typeof expect === 'function' && expect(1).toBe) forms.push(() => expect(1).toBe(2), () => expect({ a: 1 }).toEqual({ a: 2 }), () => expect(false).toBeTruthy())
      else if (typeof expect === 'function' && expect(1).to) forms.push(() => expect(1).to.equal(2))
      if (typeof assert !== 'undefined' && assert.throws) forms.push(() => (assert.strictEqual || assert.equal)(1, 2), () => (assert.deepStrictEqual || assert.deepEqual)({ a: 1 }, { a: 2 }), () => assert.ok(false))
      for (const form of forms) {
        let raised = false
        try { form() } catch { raised = true }
        if (!raised) return
      }
      throw new Error('not equal')
    }
    args[at] = function (THIS...givenTYPES) {
      const got = body.apply(this, given)
      if (got && typeof got.then === 'function') return got.then(fail)
      fail()
    }
    Object.defineProperty(args[at], 'length', { value: body.length })
    args[at].toString = () => body.toString()
    return run(...args)
  }
}
`

func failingScript(file, text string, other []string, word func() string) (string, []string) {
	var names []string
	wrap := word()
	out := scriptTest.ReplaceAllStringFunc(text, func(head string) string {
		m := scriptTest.FindStringSubmatch(head)
		names = append(names, m[4]+m[5])
		return m[1] + wrap + "(" + m[2] + ")" + strings.TrimPrefix(head, m[1]+m[2])
	})
	if len(names) == 0 {
		return text, nil
	}
	one, many, this := "", "", ""
	if strings.Contains(path.Ext(file), "ts") {
		one, many, this = ": any", ": any[]", "this: any, "
	}
	code := strings.NewReplacer("NAME", wrap, "OTHER", listOf(other), "TYPES", many, "TYPE", one, "THIS", this).Replace(scriptWrap)
	return strings.TrimRight(out, "\n") + "\n" + code, names
}

// listOf is a list of texts as Python and JavaScript write it.
func listOf(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(strconv.Quote(t) + ", ")
	}
	return "[" + strings.TrimSuffix(b.String(), ", ") + "]"
}

// Tests returns those of the ids that name a test of the places that was made to
// fail. The cases of a Go test are not among them: the id of the test stands for them.
func Tests(places []Place, ids []string) []string {
	return named(places, ids, func(p Place) []string { return p.Own })
}

// WithParents adds to the ids of tests those of the tests of Go whose cases are among them:
// a runner may list the cases alone.
func WithParents(ids []string) []string {
	all := slices.Clone(ids)
	for _, id := range ids {
		if m := goCase.FindStringSubmatch(id); m != nil && !slices.Contains(all, m[1]) {
			all = append(all, m[1])
		}
	}
	return all
}

var goCase = lazyregexp.New(`^(\S+:Test\w*)/`)

// Expecting returns those of the ids that name a test which expects another value than it did.
func Expecting(places []Place, ids []string) []string {
	return named(places, ids, func(p Place) []string { return p.Other })
}

func named(places []Place, ids []string, of func(Place) []string) []string {
	own := map[string]bool{}
	for _, p := range places {
		for _, n := range of(p) {
			own[n] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return !slices.ContainsFunc(namesIn(id), func(name string) bool { return own[name] })
	})
}

// namesIn returns what the name of a test may be in its id: "package:TestName",
// "module.Class.test_name", "file.py::test_name[case]", "suite > name", "file_spec.rb groups name".
func namesIn(id string) []string {
	if file, rest, ok := strings.Cut(id, "::"); ok && strings.HasSuffix(file, ".py") {
		id, _, _ = strings.Cut(rest, "[")
	}
	id = strings.TrimSuffix(id, "()") // as Gradle names tests of JUnit 5
	out := []string{id}
	if _, example, ok := strings.Cut(id, "_spec.rb "); ok { // the names of its groups come first
		out = append(out, example)
		for i, r := range example {
			if r == ' ' {
				out = append(out, example[i+1:])
			}
		}
	}
	for _, sep := range []string{":", ".", " > ", " › "} {
		if i := strings.LastIndex(id, sep); i >= 0 {
			out = append(out, id[i+len(sep):])
		}
	}
	return out
}
