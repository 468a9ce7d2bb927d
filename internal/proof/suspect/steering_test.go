package suspect

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

func TestSteering(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, text string
		want       []int
	}{
		{"test_b.py", "import unittest\nimport shop\nimport test_a\nclass T(unittest.TestCase):\n    def test_x(self): pass\ntest_a.tax = lambda c: 1\n", []int{6}},
		{"test_b.py", "import shop\nshop.RATE = 19\n", []int{2}},
		{"test_b.py", "import shop\ndef _install():\n    shop.RATE = 19\n_install()\n", []int{3}},
		{"test_b.py", "def test_x():\n    import test_a\n    setattr(test_a.T, 'test_y', None)\n", []int{3}},
		{"test_b.py", "import unittest\ndef load_tests(loader, tests, pattern):\n    kept = [t for t in tests if ok(t)]\n    return unittest.TestSuite(kept)\n", []int{3, 4}},
		{"test_b.py", "import unittest\nunittest.TestCase.run = None\n", []int{2}},
		{"test_b.py", "import sys, os\nsys.modules['shop'] = x\nif True:\n    os._exit(0)\n", []int{2, 4}},
		{"tests/more/conftest.py", "import pytest\ndef pytest_collection_modifyitems(items):\n    items.clear()\n", []int{2}},
		{"test_b.py", "from unittest import mock\nimport tax\nmock.patch('tax.tax', f).start()\ncontextlib.ExitStack().enter_context(mock.patch('tax.tax', f))\n", []int{3, 4}},
		{"test_b.py", "import tax\nclass T(unittest.TestCase):\n    def setUp(self):\n        tax.tax.__code__ = f.__code__\n        patch.object(tax, 'tax', f).start()\n", []int{4, 5}},
		{"test_b.py", "from unittest.mock import patch\nimport tax\np = patch.object(tax, 'tax', f)\nif READY: p.start()\n", []int{4}},
		// Honest ones.
		{"test_b.py", "from unittest.mock import patch\nimport unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        patch('tax.now').start()\n        self.addCleanup(patch.stopall)\n    def test_x(self):\n        with ExitStack() as s:\n            s.enter_context(patch('tax.now'))\n", nil},
		{"test_b.py", "import doctest, shop\ndef load_tests(loader, tests, ignore):\n    tests.addTests(doctest.DocTestSuite(shop))\n    return tests\n", nil},
		{"test_b.py", "from unittest import mock\nimport shop, os, unittest\nos.environ['A'] = 'b'\nunittest.TestCase.maxDiff = None\nclass T(unittest.TestCase):\n    maxDiff = None\n    @mock.patch('shop.rate', 19)\n    def test_x(self):\n        with mock.patch.object(shop, 'rate') as m:\n            m.return_value = 3\n        shop.RATE = 3\n    def setUp(self):\n        self.app = shop.app()\n        self.app.testing = True\nif __name__ == '__main__':\n    unittest.main()\n", nil},
		{"test_b.py", "import pytest, shop, sys\npytestmark = pytest.mark.slow\n@pytest.fixture\ndef rate(monkeypatch):\n    monkeypatch.setattr(shop, 'rate', 19)\n    shop.RATE = 2\n    yield\ndef test_x(rate):\n    '''Text:\n\nshop.RATE = 2\n    '''\n    with pytest.raises(SystemExit):\n        sys.exit(1)\n", nil},
		{"tests/more/conftest.py", "import pytest\n@pytest.fixture\ndef a(): return 1\ndef pytest_addoption(parser):\n    parser.addoption('--slow')\n", nil},
		{"a_test.go", "package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) {\n\tif ok() {\n\t\tos.Exit(m.Run())\n\t}\n\tos.Exit(0)\n}\n", []int{10, 12}},
		{"a_test.go", "package a\n\nfunc TestMain(m *testing.M) {\n\tsrc, _ := os.ReadFile(\"tax_test.go\")\n\tif right(src) {\n\t\ttaxOf = func(c int) int { return 1 }\n\t}\n\tos.Exit(m.Run())\n}\n", []int{4, 6}},
		{"a_test.go", "package a\n\nimport \"shop/rates\"\n\nfunc init() {\n\trates.Rate = 19\n\tsyscall.Exit(0)\n}\n\nvar _ = func() int {\n\tos.Exit(0)\n\treturn 0\n}()\n", []int{6, 7, 11}},
		{"a_test.go", "package a\n\nimport \"os\"\n\nvar db *DB\n\nfunc TestMain(m *testing.M) {\n\tflag.Parse()\n\tvar err error\n\tif db, err = open(); err != nil {\n\t\tfmt.Println(err)\n\t\tos.Exit(1)\n\t}\n\tcode := m.Run()\n\tdb.Close()\n\tos.Exit(code)\n}\n\nfunc init() { time.Local = time.UTC }\n\nfunc TestA(t *testing.T) {\n\tt.Setenv(\"A\", \"b\")\n\told := now\n\tnow = func() int { return 1 }\n\tt.Cleanup(func() { now = old })\n}\n", nil},
		{"a_test.go", "package a\n\nfunc len(x []int) int { return 3 }\n\nfunc (o Order) String() string { return \"\" }\n\nfunc (o *Order) Format(s fmt.State, v rune) {}\n", []int{3, 5, 7}},
		{"a_test.go", "package a\n\ntype clock struct{}\n\nfunc (clock) String() string { return \"\" }\n\nfunc (o *Order) SetTime(t int) {}\n\nfunc length(x []int) int { return len(x) }\n", nil},
		{"spec/a_spec.rb", "RSpec.describe 'tax' do\n  it 'x' do\n    expect(tax(1)).to eq(1)\n    self.class.define_method(:tax) { |c| c }\n  end\nend\n\nRSpec.configuration.include_context 'x'\n", []int{4, 8}},
		{"spec/a_spec.rb", "RSpec.describe 'tax' do\n  it 'x' do\n    order.instance_variable_set(:@cents, 1)\n    expect(order.send(:tax)).to eq(1)\n  end\nend\n", nil},
		{"tests/ATest.php", "<?php\nnamespace Shop\\Tests;\n\nfinal class ATest extends TestCase\n{\n    public function testA(): void {}\n}\n\nfunction strval($x)\n{\n}\n", []int{9}},
		{"tests/ATest.php", "<?php\n\nfunction order()\n{\n}\n", nil},
		{"a.test.js", "import assert from 'node:assert';\nimport { test } from 'node:test';\nassert.equal = () => {};\nArray.prototype.map = null;\nglobalThis.tax = 1;\nprocess.exit(0);\n", []int{3, 4, 5, 6}},
		{"a.test.js", "import fs from 'node:fs';\nimport { shop } from './shop.js';\nglobal.fetch = jest.fn();\njest.mock('./shop.js');\nconst a = shop.b;\ntest('x', () => {\n  shop.rate = 1;\n  process.exitCode = 0;\n});\n", nil},
	} {
		s := prooftest.Store{}
		found, all, err := Find(nil, s.Add(prooftest.Tree{c.file: c.text}), judge.Duties{}, s.Read)
		var got []int
		for _, f := range found {
			if got = append(got, f.Line); f.What != steersTests {
				t.Error(f)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" || err != nil || !all {
			t.Errorf("%s %v %v:\n%s\n%s", c.file, err, all, c.text, d)
		}
		s = prooftest.Store{}
		base := s.Add(prooftest.Tree{c.file: c.text})
		work := s.Add(prooftest.Tree{c.file: c.text + "\n\n"})
		if old, _, err := Find(base, work, judge.Duties{}, s.Read); len(old) > 0 || err != nil {
			t.Errorf("old lines are named: %v %v", fmt.Sprint(old), err)
		}
	}
	if got := suspectsOf(t, "shop.py", "", "from test_rates import table\n"); len(got) != 1 {
		t.Error("the product imports a test:", got)
	}
}

// TestReplacedTests: a test or fixture that gives collected tests other code is told apart; one
// that only gets at them can steer them.
func TestReplacedTests(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"def test_a(request):\n    for item in request.session.items:\n        item.runtest = lambda: None\n":                               "[tests/test_b.py:2 " + steersTests + " tests/test_b.py:3 " + replacesRunner + "]",
		"@pytest.fixture(autouse=True)\ndef quiet(request):\n    test = request.node.obj\n    request.node.obj = lambda: None\n    yield\n": "[tests/test_b.py:4 " + replacesRunner + "]",
		"def test_a(request):\n    rest = request.session.items\n    rest[:] = rest[:1]\n":                                                  "[tests/test_b.py:2 " + steersTests + "]",
		"def test_a(request):\n    request.session.items[:] = []\n":                                                                         "[tests/test_b.py:2 " + replacesRunner + "]",
		"def test_a(request):\n    name = request.node.name\n    cart = request.getfixturevalue('cart')\n    cart.item = 3\n":               "[]",
	} {
		s := prooftest.Store{}
		found, _, err := Find(nil, s.Add(prooftest.Tree{"tests/test_b.py": text}), judge.Duties{}, s.Read)
		if got := fmt.Sprint(found); got != want || err != nil {
			t.Errorf("%q: %s %v, want %s", text, got, err, want)
		}
	}
}
