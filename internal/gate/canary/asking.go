package canary

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/proof/syntax"
)

// ask gives a place tests for the examples of functions that sources of the work have.
func (p *Place) ask(examples []example, tests []string, sources map[string]string, word func() string) {
	text := strings.Join(tests, "")
	for _, e := range examples {
		switch ext := path.Ext(p.Path); {
		case ext == ".py":
			p.askPython(e, sources, word)
		case inScript.files.MatchString(p.Path) && scriptCall.MatchString(string(p.Data)):
			p.askScript(e, text, sources, word)
		case ext == ".go":
			p.askGo(e, tests, sources, word)
		}
	}
}

// lastName is the name of a function without that of its module.
func lastName(function string) string { return function[strings.LastIndexByte(function, '.')+1:] }

// declaring are the sources of the work that declare a function.
func declaring(how asking, function string, sources map[string]string) (files []string) {
	pattern := regexp.MustCompile(strings.ReplaceAll(how.declares, "NAME", lastName(function)))
	for file, text := range sources {
		if how.files.MatchString(file) && pattern.MatchString(text) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

func (p *Place) askPython(e example, sources map[string]string, word func() string) {
	var modules []string
	for _, file := range declaring(inPython, e.function, sources) {
		module := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(file, ".py"), "/__init__"), "/", ".")
		for module != "" {
			modules = append(modules, "'"+module+"'")
			_, module, _ = strings.Cut(module, ".")
		}
	}
	if len(modules) == 0 {
		return
	}
	value := e.value
	if e.fails {
		value = "object()"
	}
	p.Data = []byte(before(string(p.Data), "\nif __name__", p.asking(e, value, strings.Join(modules, ", ")+",", word, examplePython)))
}

// asking is the test of an example, which is listed. value is what the function gives, as the
// language writes it: where it fails, a value that it cannot give.
func (p *Place) asking(e example, value, from string, word func() string, test string) string {
	name := word()
	p.Near = append(p.Near, Near{Test: name, Example: e.String()})
	return strings.NewReplacer("NAME", name, "FROM", from, "FUNCTION", lastName(e.function), "ARGUMENTS", e.arguments, "VALUE", value, "SECONDS", longestAsked).Replace(test)
}

// examplePython asks a function of the test's module, or of one of those that declare it.
const examplePython = `

class TestNAME(__import__("unittest").TestCase):
    def test_NAME(self):
        import importlib, signal, threading
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return
        function = globals().get("FUNCTION")
        for module in (FROM):
            try:
                function = function or getattr(importlib.import_module(module), "FUNCTION", None)
            except Exception:
                pass
        class Late(BaseException):
            pass
        def late(*_):
            raise Late
        def plain(value):
            return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value
        handler, timer = signal.signal(signal.SIGALRM, late), signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            got, want = plain(function(ARGUMENTS)), plain(VALUE)
            told = got is None or isinstance(got, (bool, int, float, str, list, dict))
            same = got == want or isinstance(got, float) and isinstance(want, (int, float)) and abs(got - want) < 1e-6
        except BaseException:
            return
        finally:
            signal.setitimer(signal.ITIMER_REAL, *timer)
            signal.signal(signal.SIGALRM, handler)
        if told and not same:
            raise RuntimeError("not equal")
`

func (p *Place) askScript(e example, tests string, sources map[string]string, word func() string) {
	if len(declaring(inScript, e.function, sources)) == 0 {
		return
	}
	calls := regexp.MustCompile(`((?:[A-Za-z_$][\w$]*\.)?)\b` + lastName(e.function) + `\(`).FindStringSubmatch(tests)
	if calls == nil {
		return
	}
	value := strings.NewReplacer("True", "true", "False", "false", "None", "null").Replace(e.value)
	if e.fails {
		value = "Symbol()"
	}
	p.Data = append(p.Data, p.asking(e, value, calls[1]+lastName(e.function), word, exampleScript)...)
}

const exampleScript = `
;(typeof it === 'function' ? it : test)('NAME', () => {
  let got
  try { got = FROM(ARGUMENTS) } catch { return }
  const want = VALUE
  const told = got == null || typeof got !== 'object' || Array.isArray(got) || Object.getPrototypeOf(got) === Object.prototype
  const same = JSON.stringify(got ?? null) === JSON.stringify(want) || typeof got === 'number' && Math.abs(got - want) < 1e-6
  if (told && !same) throw new Error('not equal')
})
`

func (p *Place) askGo(e example, tests []string, sources map[string]string, word func() string) {
	dir, function := path.Dir(p.Path), lastName(e.function)
	kinds, fails := takesAny(dir, function, sources)
	values := valuesOf(e.arguments)
	if len(kinds) == 0 || len(values) != len(kinds) || strings.Join(values, ", ") != strings.Join(strings.Fields(e.arguments), " ") || !fitsGo(kinds)(values) || strings.ContainsAny(e.value, "'[{(NT") || e.fails && !fails {
		return
	}
	for _, text := range tests {
		m := syntax.GoPackage.FindStringSubmatch(text)
		if m == nil || strings.HasSuffix(m[1], "_test") || strings.Contains(text, "//go:build") {
			continue
		}
		failed, value := "", e.value
		if fails {
			failed = ", failed"
		}
		if e.fails {
			value = "testing.T{}"
		}
		test := p.asking(e, value, failed, word, exampleGo)
		at := len(p.Near) - 1
		inner := p.Near[at].Test
		p.Near[at].Test = "Test" + title(inner) + "/" + inner
		test = strings.NewReplacer("PACKAGE", m[1], "TITLE", title(inner)).Replace(test)
		p.Edited = append(p.Edited, File{Path: path.Join(dir, word()+"_test.go"), Data: []byte(test)})
		return
	}
}

const exampleGo = `package PACKAGE

import (
	"fmt"
	"testing"
	"time"
)

func TestTITLE(t *testing.T) {
	asked := make(chan bool, 1)
	go func() {
		same := true
		defer func() { _ = recover(); asked <- same }()
		var got any
		var failed error
		gotFROM = FUNCTION(ARGUMENTS)
		same = failed != nil || fmt.Sprint(got) == fmt.Sprint(VALUE)
	}()
	select {
	case same := <-asked:
		if !same {
			t.Run("NAME", func(t *testing.T) { t.Errorf("got %d, want %d", 1, 2) })
		}
	case <-time.After(SECONDS * time.Second):
	}
}
`
