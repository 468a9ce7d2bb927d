package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestMissing: a function for which the task asks by name must be somewhere in the work.
func TestMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		task    string
		work    prooftest.Tree
		missing string
	}{
		{"Add shop/discount.py with a function discount(cents, percent): the price.", prooftest.Tree{"shop/discount.py": "\n"}, "discount"},
		{"Add tax/discount.go with Discount(cents, percent int) (int, error): the price.", prooftest.Tree{"tax/discount.go": "package tax\n\nconst Discounts = true\n"}, "Discount"},
		{"add tax(net), 19 % of net", prooftest.Tree{"tests/test_tax.py": "def tax(net): pass\n", "shop.py": "x = 1\n"}, "tax"},
		{"Add tax(net).", prooftest.Tree{"notes.txt": "done\n"}, ""},
		{"It is slow. Add a method `Cart.total()`.", prooftest.Tree{"cart.js": "class Cart {}\n"}, "total"},
		{"It is slow. Add a method `Cart.total()`.", prooftest.Tree{"cart.js": "class Cart {\n  total() {}\n}\n"}, ""},
		{"Add tax(net).", prooftest.Tree{"tax.c": "int tax(int net) { return net; }\n"}, ""},
		{"Add a test for tax(net).", prooftest.Tree{"a.py": "x = 1\n"}, ""},
		{"Write a rounding that is as round() is.", prooftest.Tree{"a.py": "x = 1\n"}, ""},
		{"Formatting\n\n- [ ] `shop/money.py`: `fmt(cents)` gives \"1.00 EUR\" for 100\n- [ ] `parse(text)` is the reverse of `fmt`", prooftest.Tree{"shop/money.py": "def fmt(cents): pass\n"}, "parse"},
		{"- `Cart.receipt()`: one line for each item", prooftest.Tree{"a.py": "x = 1\n"}, "receipt"},
		{"- `old(x)` is removed\n- `print(x)` is not used", prooftest.Tree{"a.py": "x = 1\n"}, ""},
		{"As `json.loads(text)` does.", prooftest.Tree{"a.py": "x = 1\n"}, ""},
		{"Remove tax(net).", prooftest.Tree{"a.py": "x = 1\n"}, ""},
		{"Add test_tax(net).", prooftest.Tree{"a.py": "x = 1\n"}, ""},
	} {
		k, s := change("make", prooftest.Tree{"b.py": "y = 1\n"}, c.work)
		found, _, err := Find(k.Base, k.Work, judge.Duties{Task: c.task}, s.Read)
		want := "[]"
		if c.missing != "" {
			want = "[" + c.missing + "() " + namedNowhere + "]"
		}
		if got := fmt.Sprint(found); got != want || err != nil {
			t.Errorf("%s %v: %s %v, want %s", c.task, c.work, got, err, want)
		}
	}
}
