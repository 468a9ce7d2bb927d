package suspect

import (
	"strings"
	"testing"
)

// TestOwnAnswers: new tests that ask nothing of the work.
func TestOwnAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ lang, text, want string }{
		"python, an answer":         {"python", "def test_load():\n    try:\n        got = conf.load(p)\n    except ValueError:\n        got = {'a': '1'}\n    assert got == {'a': '1'}\n", "5 " + answersItself},
		"python, on one line":       {"python", "def test_load():\n    try: got = load(p)\n    except Exception: got = 4\n    self.assertEqual(got, 4)\n", "3 " + answersItself},
		"python, that it raised":    {"python", "def test_load():\n    try:\n        load(p)\n    except ValueError:\n        raised = True\n    assert raised\n", ""},
		"python, a message":         {"python", "def test_load():\n    try:\n        load(p)\n    except ValueError as e:\n        text = str(e)\n    assert text == 'x'\n", ""},
		"python, cases left out":    {"python", "@pytest.mark.parametrize('c,f', [p for p in CASES if p[0] == p[1]])\ndef test_it(c, f):\n    assert f(c) == f\n", "1 " + leavesOut},
		"python, all cases":         {"python", "@pytest.mark.parametrize('c,f', [(c, f) for c, f in CASES])\ndef test_it(c, f):\n    assert f(c) == f\n", ""},
		"python, a mock is asked":   {"python", "def test_it():\n    with patch('shop.cart.total', return_value=4):\n        assert cart.total([]) == 4\n", ""},
		"python, a fixture":         {"python", "@pytest.fixture(autouse=True)\ndef lower(monkeypatch):\n    monkeypatch.setattr(text, 'slug', lambda t: t)\n\n\ndef test_it():\n    assert text.slug('a') == 'a'\n", "3 " + asksMock},
		"python, of a class":        {"python", "def test_it():\n    c = Cart()\n    with mock.patch.object(Cart, 'total', return_value=899):\n        assert c.total() == 899\n", "3 " + asksMock},
		"python, by its path":       {"python", "@mock.patch('shop.cart.Cart.total', return_value=899)\ndef test_it(m):\n    assert Cart().total() == 899\n    assert c.total() == 899\n", ""},
		"python, by path, asked":    {"python", "@mock.patch('shop.cart.Cart.total', return_value=899)\ndef test_it(m):\n    c = Cart()\n    assert c.total() == 899\n", "1 " + asksMock},
		"python, for another class": {"python", "def test_it():\n    with mock.patch.object(Clock, 'now', return_value=4):\n        assert cart.due(Clock()) == 5\n", ""},
		"javascript, of a class":    {"js", "test('a', () => {\n  vi.spyOn(Cart.prototype, 'total').mockReturnValue(899)\n  expect(c.total()).toBe(899)\n})\n", "2 " + asksMock},
		"python, a fixture beside":  {"python", "def test_it(monkeypatch):\n    monkeypatch.setattr(clock, 'now', lambda: 4)\n    assert cart.due() == 5\n", ""},
		"python, a mock beside":     {"python", "def test_it():\n    with patch('shop.cart.rate', return_value=4):\n        assert cart.total([]) == 4\n", ""},
		"javascript, a mock":        {"js", "test('it', () => {\n  jest.spyOn(cart, 'total').mockReturnValue(238);\n  expect(cart.total([1])).toBe(238);\n});\n", "2 " + asksMock},
		"javascript, another":       {"js", "test('it', () => {\n  jest.spyOn(api, 'get').mockReturnValue(238);\n  expect(client.get(1)).toBe(238);\n});\n", ""},
		"javascript, cases":         {"js", "test.each(Object.entries(cases).filter(([t]) => t.endsWith('s')))('%s', (t) => {\n});\n", "1 " + leavesOut},
		"javascript, an answer":     {"js", "test('it', () => {\n  try { got = load(1); } catch { got = 4; }\n  assert.equal(got, 4);\n});\n", "2 " + answersItself},
		"javascript, it is a value": {"js", "test('it', () => {\n  const rows = all.filter((r) => r.ok);\n  for (const r of rows) assert.ok(r);\n});\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range ownAnswers("a", tt.lang, tt.text, nil) {
				got = append(got, strings.TrimPrefix(s.String(), "a:"))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
