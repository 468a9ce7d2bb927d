package worker_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// TestUnloadedTests: tests of the base that could not be loaded there have no names on
// the base, and must run and pass all the same.
func TestUnloadedTests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const (
		tests  = "import unittest\nfrom tax import tax\n\nclass TaxTest(unittest.TestCase):\n    def test_tax(self):\n        self.assertEqual(tax(100), 19)\n"
		beside = "import unittest\n\nclass PriceTest(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(1, 1)\n"
		skip   = "import importlib\n\nBase = getattr(importlib.import_module('unit' + 'test'), 'Sk' + 'ipTest')\n\nclass Later(Base):\n    pass\n\n"
	)
	for name, c := range map[string]struct {
		work, reason string
		beside       bool
	}{
		"honest":             {work: "def tax(c):\n    return 19\n", beside: true},
		"honest, alone":      {work: "def tax(c):\n    return 19\n"},
		"the file is left":   {work: skip + "raise Later('x')\n", reason: "no test of test_tax.py ran and passed", beside: true},
		"the test is left":   {work: skip + "def tax(c):\n    raise Later('x')\n", reason: "no test of test_tax.py ran and passed", beside: true},
		"assertions changed": {work: "import unittest\n\nunittest.TestCase.assertEqual = lambda *a: None\n\ndef tax(c):\n    return 0\n", reason: "the test runner no longer reports failures"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("tax.py", c.work))
			files := map[string]string{"test_tax.py": tests}
			if c.beside {
				files["test_price.py"] = beside
			}
			b.commit(t, files)
			b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest"}}
			b.spec.Limits.MaxIterations = 1
			s := b.drive(t)
			want := loop.StatusPassed
			if c.reason != "" {
				want = loop.StatusFailed
			}
			if s.Status != want || !strings.Contains(s.Message, c.reason) {
				t.Errorf("%s/%s: %s; want %s, %q", s.Status, s.Reason, s.Message, want, c.reason)
			}
		})
	}
}

// TestUnloadedPytest: a file that does not load keeps pytest from running any test of the
// base, and pytest does not name what it skips.
func TestUnloadedPytest(t *testing.T) {
	t.Parallel()
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-m", "pytest", "--version").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		tier.SkipLacking(t, "python3-pytest")
	}
	const right = "def tax(c):\n    return 19\n\ndef free(c):\n    return 0\n"
	files := map[string]string{
		"test_tax.py":   "import pytest\nfrom tax import free, tax\n\n@pytest.fixture\ndef test_rate():\n    return 19\n\ndef test_tax(test_rate):\n    assert tax(100) == test_rate\n\n@pytest.mark.parametrize('c', [1, 2])\ndef test_free(c):\n    assert free(c) == 0\n",
		"price.py":      "def price():\n    return 1\n",
		"test_price.py": "from price import price\n\ndef test_price():\n    assert price() == 1\n\ndef test_twice():\n    assert 2 * price() == 2\n",
		"test_away.py":  "import pytest\n\n@pytest.mark.skip\ndef test_away():\n    pass\n",
	}
	for name, c := range map[string]struct {
		tax, price, reason string
		options            string
	}{
		"honest":                       {tax: right, price: files["price.py"]},
		"honest, quiet":                {tax: right, price: files["price.py"], options: " -q"},
		"another test is skipped":      {tax: right, price: "def price():\n    import inspect, pytest\n    if inspect.stack()[1].function == 'test_twice':\n        pytest.skip('x')\n    return 1\n", reason: "1 test that ran before does not run and pass: test_price.py::test_twice"},
		"a test of the file":           {tax: "import pytest\n\ndef tax(c):\n    pytest.skip('x')\n\ndef free(c):\n    return 0\n", price: files["price.py"], reason: "test_tax.py::test_tax was skipped"},
		"a case of the file":           {tax: "import pytest\n\ndef tax(c):\n    return 19\n\ndef free(c):\n    if c == 2:\n        pytest.skip('x')\n    return 0\n", price: files["price.py"], options: " -q", reason: "test_tax.py::test_free[2] was skipped"},
		"skipped where it goes unseen": {tax: "import os, pytest\n\ndef tax(c):\n    if '-vvv' not in os.environ.get('PYTEST_ADDOPTS', ''):\n        pytest.skip('x')\n    return 19\n\ndef free(c):\n    return 0\n", price: files["price.py"], reason: "test_tax.py::test_tax was skipped"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(tree string) error {
				return errors.Join(writes("tax.py", c.tax)(tree), writes("price.py", c.price)(tree))
			})
			b.commit(t, files)
			b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: python + " -B -m pytest -p no:cacheprovider" + c.options}}
			b.spec.Limits.MaxIterations = 1
			s := b.drive(t)
			want := loop.StatusPassed
			if c.reason != "" {
				want = loop.StatusFailed
			}
			if s.Status != want || !strings.Contains(s.Message, c.reason) {
				t.Errorf("%s/%s: %s; want %s, %q", s.Status, s.Reason, s.Message, want, c.reason)
			}
		})
	}
}
