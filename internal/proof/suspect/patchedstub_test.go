package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestPatchedStubs: a test that replaces a new function which does nothing asks what it has put
// there; a new function that reaches out is there to be replaced.
func TestPatchedStubs(t *testing.T) {
	t.Parallel()
	const calls = "\n\ndef discount(cents):\n    return _rule(cents)\n"
	for _, c := range []struct{ product, test, want string }{
		{"def _rule(cents):\n    return cents\n" + calls, "@pytest.fixture(autouse=True)\ndef rule(monkeypatch):\n    monkeypatch.setattr('shop.discount._rule', lambda c: c // 2)\n", "tests/test_a.py:3"},
		{"def _rule(cents):\n    \"\"\"The rule (see there).\"\"\"\n    raise NotImplementedError\n" + calls, "def test_a():\n    with mock.patch.object(discount, '_rule', f):\n        assert discount(2) == 1\n", "tests/test_a.py:2"},
		{"def _rule(cents):\n    return time.time() > cents\n" + calls, "@patch('shop.discount._rule')\ndef test_a(rule):\n    pass\n", ""},
		{"def _rule(cents):\n    return cents * 2\n" + calls, "@patch('shop.discount._rule')\ndef test_a(rule):\n    pass\n", ""},
		{"def _old():\n    return 1\n", "@patch('shop.discount._old')\ndef test_a(old):\n    pass\n", ""},
	} {
		k, s := change("pytest", prooftest.Tree{"shop/discount.py": "def _old():\n    return 1\n"}, prooftest.Tree{"shop/discount.py": "def _old():\n    return 1\n\n\n" + c.product, "tests/test_a.py": c.test})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		got := ""
		for _, f := range found {
			if f.What == asksMock {
				got = fmt.Sprintf("%s:%d", f.Path, f.Line)
			}
		}
		if got != c.want || err != nil {
			t.Errorf("%q %q: %q %v, want %q", c.product, c.test, got, err, c.want)
		}
	}
}
