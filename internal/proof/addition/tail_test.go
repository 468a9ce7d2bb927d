package addition

import "testing"

// What is added at the end of a file, or of its last class or suite, is an addition unless it
// changes what the tests above it do.
func TestTails(t *testing.T) {
	t.Parallel()
	const (
		python = "import unittest\n\nimport price\n\n\ndef of(x):\n    return price.total(x)\n\n\nclass PriceTest(unittest.TestCase):\n    def test_zero(self):\n        self.assertEqual(of(0), 0)\n"
		script = "const { total } = require('./price');\n\nfunction of(x) {\n  return total(x);\n}\n\ndescribe('price', () => {\n  it('is zero', () => {\n    expect(of(0)).toBe(0);\n  });\n"
		java   = "class PriceTest {\n    @Test\n    void zero() {\n        assertEquals(0, Price.of(0));\n    }\n"
		php    = "<?php\nfinal class PriceTest extends TestCase\n{\n    public function testZero(): void\n    {\n        $this->assertSame(0, price(0));\n    }\n"
		ruby   = "RSpec.describe Price do\n  it('is zero') { expect(of(0)).to eq(0) }\nend\n\ndef of(x)\n  Price.of(x)\nend\n"
	)
	for _, c := range []struct {
		file, base, end, added string
		only                   bool
	}{
		{"test_price.py", python, "", "\n    def test_tax(self):\n        self.assertEqual(price.tax(200), 38)\n", true},
		{"test_price.py", python, "", "\n    def taxed(self, x):\n        y = price.tax(x)\n        return y\n\n    def test_tax(self):\n        self.assertEqual(self.taxed(200), 38)\n", true},
		{"test_price.py", python, "", "\n\nclass TaxTest(unittest.TestCase):\n    def setUp(self):\n        self.x = 200\n\n    def test_tax(self):\n        self.assertEqual(price.tax(self.x), 38)\n", true},
		{"test_price.py", python, "", "\n\nCASES = [1, 2]\n\n\n@pytest.mark.parametrize('x', CASES)\ndef test_tax(x):\n    if x:\n        assert price.tax(x)\n\n\nif __name__ == '__main__':\n    unittest.main()\n", true},
		{"test_price.py", python, "", "\n    def test_zero(self):\n        pass\n", false},
		{"test_price.py", python, "", "\n    def setUp(self):\n        price.total = lambda x: x\n", false},
		{"test_price.py", python, "", "\n    def assertEqual(self, *a):\n        pass\n", false},
		{"test_price.py", python, "", "\n    failureException = unittest.SkipTest\n", false},
		{"test_price.py", python, "", "\n    exec('x = 1')\n", false},
		{"test_price.py", python, "", "\n\ndef of(x):\n    return 0\n", false},
		{"test_price.py", python, "", "\n\nclass PriceTest(unittest.TestCase):\n    pass\n", false},
		{"test_price.py", python, "", "\n\nof = int\n", false},
		{"test_price.py", python, "", "\n\nimport fake as price\n", false},
		{"test_price.py", python, "", "\n\ndel PriceTest.test_zero\n", false},
		{"test_price.py", python, "", "\n\nfor x in [1]:\n    pass\n", false},
		{"test_price.py", python, "", "\n\n@pytest.fixture(autouse=True)\ndef still():\n    yield\n", false},
		{"test_price.py", python, "", "\n\ndef setUpModule():\n    pass\n", false},
		{"test_price.py", python, "", "\n    def test_tax(self):\n        global of\n        of = price.tax\n", false},
		{"test_price.py", python, "", "\n    def test_tax(self):\n        self.assertEqual(price.tax(200), 38)\n        price.total = lambda x: x\n", false},
		{"test_price.py", python, "", "\n    def test_tax(self):\n        import price as shop\n        shop.total = int\n", false},
		{"test_price.py", python, "", "\n    def test_tax(self):\n        cart = price.Cart(rate=19)\n        cart.rate = 7\n        self.assertEqual(price.tax(200), 38)\n", true},
		{"price.test.js", script, "});\n", "\n  it('is taxed', () => {\n    total.of = () => 0;\n  });\n", false},
		{"price.test.js", script, "});\n", "\n  it('is taxed', () => {\n    const cart = { rate: 19 };\n    cart.rate = 7;\n    expect(tax(cart)).toBe(38);\n  });\n", true},
		{"price.test.js", script, "});\n", "\n  it('is taxed', () => {\n    const x = 200;\n    expect(tax(x)).toBe(38);\n  });\n", true},
		{"price.test.js", script, "});\n", "\n  describe('tax', () => {\n    beforeEach(() => {\n      x = 200;\n    });\n    it('is taxed', () => {\n      expect(tax(x)).toBe(38);\n    });\n  });\n", true},
		{"price.test.js", script, "});\n", "\n  beforeEach(() => {\n    jest.resetModules();\n  });\n", false},
		{"price.test.js", script + "});\n", "", "\nfunction of() {\n  return 0;\n}\n", false},
		{"price.test.js", script + "});\n", "", "\nof = () => 0;\n", false},
		{"price.test.js", "import {\n  rates, // in per cent\n} from './price';\n" + script, "});\n", "\n  it('is taxed', () => {\n    rates.high = 0;\n  });\n", false},
		{"price.test.js", script + "});\n", "", "\njest.mock('./price');\n", false},
		{"price.test.js", script + "});\n", "", "\ntest.beforeEach(() => {});\n", false},
		{"PriceTest.java", java, "}\n", "\n    @Test\n    void tax() {\n        assertEquals(38, Price.tax(200));\n    }\n\n    private static int twice(int x) {\n        return 2 * x;\n    }\n", true},
		{"PriceTest.java", java, "}\n", "\n    static {\n        Price.reset();\n    }\n", false},
		{"PriceTest.java", java, "}\n", "\n    @BeforeEach\n    void begin() {\n        Price.reset();\n    }\n", false},
		{"PriceTest.php", php, "}\n", "\n    public function testTax(): void\n    {\n        $this->assertSame(38, tax(200));\n    }\n\n    public static function amounts(): array\n    {\n        return [[1]];\n    }\n", true},
		{"PriceTest.php", php, "}\n", "\n    protected function setUp(): void\n    {\n        reset_prices();\n    }\n", false},
		{"PriceTest.php", php, "}\n", "\n    /** @before */\n    public function begin(): void\n    {\n    }\n", false},
		{"PriceTest.php", php, "}\n", "\n    use Other;\n", false},
		{"price_spec.rb", ruby, "", "\nRSpec.describe Tax do\n  let(:x) { 200 }\n  it('is taxed') { expect(Tax.of(x)).to eq(38) }\nend\n", true},
		{"price_spec.rb", ruby, "", "\nRSpec.configure { |c| c.filter_run_excluding(slow: true) }\n", false},
		{"price_spec.rb", ruby, "", "\ndef of(x)\n  0\nend\n", false},
	} {
		if got := Only(c.file, []byte(c.base+c.end), []byte(c.base+c.added+c.end)); got != c.only {
			t.Errorf("%s: %q at the end is only added: %v, want %v", c.file, c.added, got, c.only)
		}
	}
}
