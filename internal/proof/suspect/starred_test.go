package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestStarredNames: a test that takes all names of the product loses a name of its own where
// the work gives the product one of that name.
func TestStarredNames(t *testing.T) {
	t.Parallel()
	const (
		starred = "import os\nfrom math import isclose\nimport pytest\nfrom pytest import approx\n\nCASES = [1]\n\nfrom shop.cart import *\n\n\ndef test_tax():\n    assert tax(50) == approx(10)\n"
		product = "def tax(cents):\n    return cents\n"
	)
	for what, c := range map[string]struct{ test, work, want string }{
		"a function":              {starred, product + "\n\ndef approx(n):\n    return n\n", "shop/cart.py:5 " + changesCode},
		"a value":                 {starred, product + "\nCASES = []\n", "shop/cart.py:4 " + changesCode},
		"another import":          {starred, "from .near import isclose\n" + product, "shop/cart.py:1 " + changesCode},
		"over several lines":      {starred, "from .near import (\n    isclose,\n)\n" + product, "shop/cart.py " + changesCode},
		"the same import":         {starred, "import os\nfrom math import isclose\n" + product, ""},
		"a name of the base":      {starred, product + "# more\n", ""},
		"other names":             {starred, product + "\n\ndef near(n):\n    return n\n", ""},
		"a private name":          {strings.Replace(starred, "CASES", "_CASES", 1), product + "_CASES = []\n", ""},
		"a name inside":           {starred, product + "\n\nclass A:\n    CASES = []\n\n    def approx(self):\n        pass\n", ""},
		"not exported":            {starred, "__all__ = [\"tax\"]\n" + product + "CASES = []\n", ""},
		"bound after the star":    {"from shop.cart import *\nfrom pytest import approx\n", product + "def approx(n):\n    return n\n", ""},
		"names one by one":        {"from pytest import approx\nfrom shop.cart import tax\n", product + "def approx(n):\n    return n\n", ""},
		"the names of a relative": {strings.Replace(starred, "from shop.cart", "from ..cart", 1), product + "CASES = []\n", "shop/cart.py:3 " + changesCode},
	} {
		test := "tests/test_cart.py"
		if strings.Contains(c.test, "..cart") {
			test = "shop/tests/test_cart.py"
		}
		k, s := change("pytest", prooftest.Tree{test: c.test, "shop/cart.py": product}, prooftest.Tree{"shop/cart.py": c.work})
		found, all, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if strings.Join(got, ", ") != c.want || !all || err != nil {
			t.Errorf("%s: %q %v %v, want %q", what, got, all, err, c.want)
		}
	}
}
