package redgreen

import (
	"testing"

	"ralph/internal/testing/prooftest"
)

func TestMaySteer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, line string
		want       bool
	}{
		{"test_a.py", "assert shop.tax(1) == 5", false},
		{"test_a.py", "self.order = shop.order(5)", false},
		{"test_a.py", "order = shop.order(cents=5, rates=[1])", false},
		{"test_a.py", "    order = shop.order(cents=shop.cents, rates=[1])", false},
		{"test_a.py", "assert shop.rows[0] == 5", false},
		{"test_a.py", "assert shop.rows[0] != 5 and order.cents <= 5", false},
		{"test_a.py", "if (n := shop.tax(1)) == 5: pass", false},
		{"test_a.py", "# shop.tax = 5", false},
		{"test_a.py", "with pytest.raises(ValueError) as failed:", false},
		{"test_a.py", "for n in shop.all(): assert n", false},
		{"test_a.py", "rows = {'a': 1}", false},
		{"test_a.py", "shop.tax = f", true},
		{"test_a.py", "    shop.tax = f", true},
		{"test_a.py", "x = 1; shop.tax = f", true},
		{"test_a.py", "self.shop.tax = f", true},
		{"test_a.py", "shop.tax, x = f, 1", true},
		{"test_a.py", "[shop.tax] = [f]", true},
		{"test_a.py", "shop.rates['a'] += 1", true},
		{"test_a.py", "for shop.tax in [f]: pass", true},
		{"test_a.py", "with f() as shop.tax: pass", true},
		{"test_a.py", "setattr(shop, 'tax', f)", true},
		{"test_a.py", "def test_a(x=shop.__dict__.update(tax=f)):", true},
		{"test_a.py", "self._outcome.result.addFailure", true},
		{"test_a.py", "    global tax", true},
		{"test_a.py", "vars(shop)['tax'] = f", true},
		{"a.test.js", "assert.equal(shop.tax(1), 5);", false},
		{"a.test.js", "const order = { cents: 5 };", false},
		{"a.test.js", "assert.ok(order.cents === 5 || rows[0] == 5 || order.cents >= 5);", false},
		{"a.test.js", "const last = (rows) => rows[0];", false},
		{"a.test.js", "const { tax } = require('./shop.js');", false},
		{"a.test.js", "shop.tax = f;", true},
		{"a.test.js", "[shop].forEach((s) => { s.tax = f; });", true},
		{"a.test.js", "shop['tax'] = f;", true},
		{"a.test.js", "Object.assign(shop, { tax: f });", true},
		{"a.test.js", "jest.spyOn(shop, 'tax').mockReturnValue(5);", true},
		{"a.test.js", "({ f: shop.tax } = { f });", true},
		{"a.test.js", "[shop.tax] = [f];", true},
		{"a_test.go", "\tshop.Tax = f", false},
	} {
		s := prooftest.Store{}
		got, err := MaySteer(nil, s.Add(prooftest.Tree{c.file: c.line + "\n"}), s.Read)
		if got != c.want || err != nil {
			t.Errorf("%s: %v %v", c.line, got, err)
		}
		old := prooftest.Store{}
		base := old.Add(prooftest.Tree{c.file: c.line + "\n"})
		work := old.Add(prooftest.Tree{c.file: c.line + "\n\nx\n"})
		if got, err := MaySteer(base, work, old.Read); got || err != nil {
			t.Errorf("%s, an old line: %v %v", c.line, got, err)
		}
	}
}

func TestEmptied(t *testing.T) {
	t.Parallel()
	s := prooftest.Store{}
	base := s.Add(prooftest.Tree{"test_shop.py": "from shop import tax, note\n"})
	work := s.Add(prooftest.Tree{
		"test_shop.py": "from shop import tax, note\n",
		"test_more.py": "from shop import twice\n",
		"shop.py":      "def tax(n):\n    return n\n\n\ndef note(n):\n    print(n)\n\n\ndef twice(n):\n    return 2 * tax(n)\n",
		"shop.js":      "exports.tax = (n) => n;\n",
	})
	edits, err := Emptied(base, work, s.Read)
	if err != nil || len(edits) != 1 || edits[0].Path != "shop.py" {
		t.Fatalf("%v %v", edits, err)
	}
	const want = "def tax(n):\n    return None\n    return n\n\n\ndef note(n):\n    print(n)\n\n\ndef twice(n):\n    return 2 * tax(n)\n"
	if got := string(edits[0].Data); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("%s", got)
	}
}
