package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/proof/ratchet"
	"ralph/internal/testing/prooftest"
)

// TestOffersFixtures: a new conftest.py beside old tests is one of the new tests where it can
// only give fixtures to tests that ask for them; what pytest calls by itself, what runs as the
// file is loaded, and a fixture of a name that old tests have reach these.
func TestOffersFixtures(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"shop/__init__.py": "", "shop/cart.py": "class Cart:\n    pass\n", "shop/testing.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef always():\n    yield\n",
		"tests/test_old.py": "def test_old(tmp_path, store):\n    assert store\n",
	}
	tries := func(what, text, fixture string, judge bool) {
		k, _ := change("pytest", base, prooftest.Tree{"tests/conftest.py": text, "tests/test_new.py": "def test_new(" + fixture + "):\n    assert " + fixture + "\n"})
		k.Ran = func() (ratchet.Names, error) { return nil, nil }
		got, err := k.Judges()
		want := [][]string{nil, {"tests/conftest.py", "tests/test_new.py"}}
		if judge {
			want = [][]string{{"tests/conftest.py"}, {"tests/test_new.py"}}
		}
		if d := cmp.Diff(want, [][]string{got.SetAside, got.New}); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
	const fixture = "import pytest\n\n\n@pytest.fixture\ndef cart():\n    return 1\n"
	for what, c := range map[string]struct {
		text  string
		judge bool
	}{
		"a fixture":            {fixture, false},
		"helpers":              {"\"\"\"Fixtures.\"\"\"\nfrom __future__ import annotations\n\nimport json, os\nfrom contextlib import contextmanager\nfrom datetime import (\n    date,\n    timedelta,\n)\n\nimport pytest\n\nfrom shop import cart as module\nfrom shop.cart import Cart\n\nDAY = \"2026-01-01\"  # a Thursday\n\n\nclass FakeClock:\n    \"\"\"A clock.\"\"\"\n\n    now = 0\n\n    def tick(self, n=1):\n        self.now += n\n\n\n@contextmanager\ndef changed(path: str = \"a\"):\n    yield os.path.join(path)\n\n\n@pytest.fixture(scope=\"session\", params=[1, 2])\ndef cart(request, tmp_path) -> Cart:\n    monkey = json.dumps({})\n    return Cart()\n", false},
		"autouse":              {"import pytest\n\n\n@pytest.fixture(autouse=True)\ndef cart():\n    return 1\n", true},
		"of an old name":       {"import pytest\n\n\n@pytest.fixture\ndef store():\n    return 1\n", true},
		"of pytest":            {"import pytest\n\n\n@pytest.fixture\ndef tmp_path_factory():\n    return 1\n", true},
		"another name":         {"import pytest\n\n\n@pytest.fixture(name=\"store\")\ndef cart():\n    return 1\n", true},
		"a hook":               {fixture + "\n\ndef pytest_runtest_makereport(item, call):\n    return None\n", true},
		"a list":               {"collect_ignore = [\"test_old.py\"]\n", true},
		"plugins":              {"pytest_plugins = [\"shop.testing\"]\n", true},
		"a call":               {fixture + "\nimport shop\nshop.patch()\n", true},
		"an assignment":        {fixture + "\nimport shop\nshop.RATE = 1\n", true},
		"a second one":         {fixture + "\nimport shop\nX = shop.RATE = 1\n", true},
		"behind a semicolon":   {fixture + "\nimport shop\nX = 1; shop.RATE = 1\n", true},
		"behind a text":        {"\"\"\"a\"\"\" + __import__(\"os\").getcwd() + \"\"\"b\"\"\"\n" + fixture, true},
		"a default value":      {"import pytest\nimport shop\n\n\n@pytest.fixture\ndef cart(x=shop.patch()):\n    return 1\n", true},
		"a decorator":          {"import pytest\nimport shop\n\n\n@shop.patch\ndef cart():\n    return 1\n", true},
		"within a class":       {fixture + "\nimport shop\n\n\nclass A:\n    shop.patch()\n", true},
		"all names":            {"from shop.testing import *\n", true},
		"one that is imported": {"from shop.testing import always\n", true},
		"of a plugin":          {"from pytest_django.fixtures import db\n", true},
		"below a condition":    {"import os\n\nif os.environ.get(\"CI\"):\n    os._exit(0)\n", true},
	} {
		tries(what, c.text, "cart", c.judge)
	}
	const had = "import pytest\n\nfrom shop.cart import Cart\n\n\n@pytest.fixture\ndef cart():\n    return Cart()\n"
	base["tests/conftest.py"] = had
	for what, c := range map[string]struct {
		text  string
		judge bool
	}{
		"a fixture at its end":    {had + "\n\n@pytest.fixture\ndef full(cart):\n    return cart\n", false},
		"before the others":       {"@pytest.fixture\ndef full():\n    return 1\n\n\n" + had, true},
		"one of that name":        {had + "\n\n@pytest.fixture\ndef cart():\n    return None\n", true},
		"of a name of its class":  {had + "\n\ndef Cart():\n    return None\n", true},
		"an import":               {had + "\nfrom shop import cart as Cart\n", true},
		"more of the last one":    {had[:len(had)-len("    return Cart()\n")] + "    return Cart()\n    yield\n", true},
		"of a name that is asked": {had + "\n\n@pytest.fixture\ndef store():\n    return 1\n", true},
		"one for all tests":       {had + "\n\n@pytest.fixture(autouse=True)\ndef full():\n    yield\n", true},
		"one of a session":        {had + "\n\n@pytest.fixture(scope=\"session\")\ndef full():\n    yield\n", true},
		"one that sets a member":  {had + "\n\n@pytest.fixture\ndef full():\n    Cart.total = int\n", true},
		"one that patches itself": {had + "\n\n@pytest.fixture\ndef full():\n    setattr(Cart, \"total\", int)\n", true},
		"one that is handed that": {had + "\n\n@pytest.fixture\ndef full(monkeypatch):\n    monkeypatch.setattr(Cart, \"rate\", 7)\n    return Cart()\n", false},
		"a hook at its end":       {had + "\n\ndef pytest_runtest_makereport(item, call):\n    return None\n", true},
	} {
		tries(what, c.text, "full", c.judge)
	}
	delete(base, "tests/conftest.py")
	for what, path := range map[string]string{"the root": "conftest.py", "a folder without tests": "shop/conftest.py"} {
		k, _ := change("pytest", base, prooftest.Tree{path: fixture, "tests/test_new.py": "x"})
		if got, err := k.Judges(); err != nil || len(got.SetAside) != 1 {
			t.Errorf("%s: %v %v", what, got, err)
		}
	}
}
