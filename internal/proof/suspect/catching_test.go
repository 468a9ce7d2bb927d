package suspect

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// TestCatchesAssertions: code that runs a part of a test and catches what it raises.
func TestCatchesAssertions(t *testing.T) {
	t.Parallel()
	const (
		exit    = "class Cart:\n    def __exit__(self, kind, value, trace):\n"
		manager = "@contextlib.contextmanager\ndef cart():\n    till = Till()\n"
		each    = "def each(items, act: Callable[[int], None]):\n    for i in items:\n"
		script  = "exports.each = (xs, act) => xs.forEach((x) => {\n"
	)
	for _, c := range []struct{ file, base, text, want string }{
		{"a.py", "", exit + "        return True\n", "3 " + catchesAll},
		{"a.py", "", exit + "        self.close()\n        return kind is not None\n", "4 " + catchesAll},
		{"a.py", "", exit + "        return not self.open\n", "3 " + catchesAll},
		{"a.py", "", exit + "        return self.stack.__exit__(kind, value, trace)\n", ""},
		{"a.py", "", exit + "        self.close()\n        return kind is None\n", ""},
		{"a.py", "", exit + "        return isinstance(value, FileNotFoundError)\n\n    def open(self):\n        return True\n", ""},
		{"a.py", exit + "        return True\n", exit + "        return True\n\n    def add(self):\n        pass\n", ""},
		{"a.py", "", manager + "    try:\n        yield till\n    except Exception:\n        pass\n", "6 " + catchesAll},
		{"a.py", "", manager + "    try:\n        yield till\n    except: pass\n", "6 " + catchesAll},
		{"a.py", "", manager + "    try:\n        yield till\n    except (ValueError, AssertionError) as e:\n        log(e)\n    finally:\n        till.close()\n", "6 " + catchesAll},
		{"a.py", "", manager + "    while True:\n        try:\n            yield till\n        finally:\n            break\n", "7 " + catchesAll},
		{"a.py", "", manager + "    with contextlib.suppress(Exception):\n        yield till\n", "4 " + catchesAll},
		{"a.py", "", manager + "    with contextlib.suppress(FileNotFoundError):\n        yield till\n", ""},
		{"a.py", "", manager + "    try:\n        yield till\n    except Exception:\n        till.rollback()\n        raise\n    finally:\n        till.close()\n", ""},
		{"a.py", "", manager + "    try:\n        till.load()\n    except Exception:\n        till = None\n    yield till\n", ""},
		{"a.py", "", "def rows():\n    try:\n        yield 1\n    except Exception:\n        pass\n", ""},
		{"a.py", "", each + "        try:\n            act(\n                i)\n        except Exception:\n            continue\n", "6 " + catchesAll},
		{"a.py", "", each + "        try:\n            act(i)\n        except OSError:\n            continue\n", ""},
		{"a.py", "", each + "        try:\n            act(i)\n        except Exception:\n            pass  # raise nothing\n", "5 " + catchesAll},
		{"a.py", "", each + "        try:\n            self.act(i)\n        except Exception:\n            continue\n", ""},
		{"a.py", "", "def retry(call, left=3):\n    while True:\n        try:\n            return call()\n        except Exception:\n            left -= 1\n            if not left:\n                raise\n", ""},
		{"a.py", "", "def safe(call):\n    def run(*args):\n        try:\n            return call(*args)\n        except Exception:\n            return None\n    return run\n", ""},
		{"a.py", each + "        try:\n            act(i)\n        except Exception:\n            raise\n", each + "        try:\n            act(i)\n        except Exception:\n            continue\n", "5 " + catchesAll},
		{"a.py", each + "        try:\n            act(i)\n        except Exception:\n            log(i)\n            raise\n", each + "        try:\n            act(i)\n        except Exception:\n            log(i)\n", "5 " + catchesAll},
		{"a.js", "", script + "  try {\n    act(x);\n  } catch {\n    // \"}\" goes on with the next, throws nothing\n  }\n});\n", "4 " + catchesAll},
		{"a.ts", "", "function each(xs: number[], act: (x: number) => void): void {\n  try { xs.forEach((x) => act(x)); } catch (e) { console.error(e); }\n}\n", "2 " + catchesAll},
		{"a.js", "", script + "  try {\n    act(x);\n  } catch (e) {\n    throw new Error('each', { cause: e });\n  }\n});\n", ""},
		{"a.js", "", "const load = (text, fallback) => {\n  try {\n    return JSON.parse(text);\n  } catch {\n    return fallback;\n  }\n};\n", ""},
		{"a.js", "", "exports.each = (xs, act) => xs.map((x) => Promise.resolve(x).then(act).catch(() => {}));\n", "1 " + catchesAll},
		{"a.js", "", "exports.each = (xs, act) => xs.map((x) => Promise.resolve(x).then(act));\nsave().then(done).catch(() => {});\n", ""},
		{"a.py", "", each + "        try:\n            act(i)\n        except Exception as e:\n            errors.append(e)\n    if errors:\n        raise ExceptionGroup('some failed', errors)\n", ""},
		{"a.py", "", each + "        try:\n            act(i)\n        except Exception as e:\n            errors.append(e)\n    if len(errors) > 99:\n        raise ExceptionGroup('some failed', errors)\n", "5 " + catchesAll},
		{"a.js", "", script + "  try { act(x); } catch (e) { errors.push(e); }\n});\nif (errors.length > 0) throw new AggregateError(errors, 'some');\n", ""},
		{"a.js", "", script + "  try { act(x); } catch (e) { failure ??= e; }\n});\nif (failure) {\n  throw failure;\n}\n", ""},
		{"a.js", "", script + "  try { act(x); } catch (e) { errors.push(e); }\n});\nif (errors.length > 9) throw new AggregateError(errors, 'some');\n", "2 " + catchesAll},
		{"a.js", "", "class Bus {\n  on(fn) { this.all.push(fn); }\n  emit(x) {\n    for (const fn of this.all) {\n      try { fn(x); } catch (e) { log(e); }\n    }\n  }\n}\n", ""},
	} {
		var got []string
		for _, f := range catchingIn(c.file, proof.LanguageOf(c.file), c.base, c.text, map[string]bool{}) {
			got = append(got, fmt.Sprintf("%d %s", f.Line, f.What))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

// TestCatchingIsMoved: a place that another source of the base had is not the work's.
func TestCatchingIsMoved(t *testing.T) {
	t.Parallel()
	const text = "class Cart:\n    def __exit__(self, kind, value, trace):\n        return True\n"
	base, work := []proof.File{{Path: "a.py", Mode: "100644", ID: "a"}}, []proof.File{{Path: "b.py", Mode: "100644", ID: "a"}}
	found, _, err := Find(base, work, judge.Duties{}, func(string) ([]byte, error) { return []byte(text), nil })
	if err != nil || len(found) > 0 {
		t.Error(found, err)
	}
}

// FuzzCatching: sources that agents write, also ones that are cut off, are read to their end.
func FuzzCatching(f *testing.F) {
	f.Add("@contextmanager\ndef f(a):\n    try: yield\n    except Exception: pass")
	f.Add("def f(a, *b, c=(1,), **d):\n\ttry:\n\t\ta(\nexcept:")
	f.Add("const f = (a, { b }) => { try { a(`${`) } catch { ")
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{"a.py", "a.js"} {
			for _, s := range catchingIn(file, proof.LanguageOf(file), "", text, nil) {
				if lines := 1 + strings.Count(text, "\n"); s.Line < 1 || s.Line > lines {
					t.Errorf("%s: line %d of %d", file, s.Line, lines)
				}
			}
		}
	})
}
