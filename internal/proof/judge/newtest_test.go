package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/proof/ratchet"
	"ralph/internal/testing/prooftest"
)

// TestConfigurationBesideANamedTest: a gate that names a new test runs none on the base; new
// configuration beside that test still reaches the tests that other gates run.
func TestConfigurationBesideANamedTest(t *testing.T) {
	t.Parallel()
	const named = "pytest -q tests/test_new.py"
	base := prooftest.Tree{"shop.py": "x", "tests/test_old.py": "def test_old(): pass\n"}
	added := prooftest.Tree{"tests/test_new.py": "def test_new(): pass\n"}
	for what, c := range map[string]struct {
		gate          string
		base, changes prooftest.Tree
		want, new     []string
	}{
		"among other tests": {named, base, added.With(prooftest.Tree{"tests/conftest.py": "x"}), []string{"tests/conftest.py"}, []string{"tests/test_new.py"}},
		"tests by name":     {named + " -k new", base, added.With(prooftest.Tree{"tests/conftest.py": "x"}), nil, nil},
		"a new test alone":  {named, base, added, nil, nil},
		"in its own folder": {"pytest -q new/", base, prooftest.Tree{"new/test_new.py": "x", "new/conftest.py": "x"}, nil, nil},
		"no tests before":   {named, prooftest.Tree{"shop.py": "x"}, added.With(prooftest.Tree{"tests/conftest.py": "x"}), nil, nil},
		"of the root":       {named, base, added.With(prooftest.Tree{"conftest.py": "x"}), []string{"conftest.py"}, []string{"tests/test_new.py"}},
		"the first tests":   {"pytest", prooftest.Tree{"shop.py": "x"}, added.With(prooftest.Tree{"conftest.py": "x"}), nil, nil},
		"another folder":    {named, base.With(prooftest.Tree{"web/test_web.py": "x"}), added.With(prooftest.Tree{"web/conftest.py": "x"}), []string{"web/conftest.py"}, []string{"tests/test_new.py"}},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		k.Untested = true
		got, err := k.Judges()
		if d := cmp.Diff([][]string{c.want, c.new}, [][]string{got.SetAside, got.New}); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

// TestConfigurationOfNewTests: conftest.py is a part of the new tests in whose folder it is, and
// judges where tests ran that it reaches.
func TestConfigurationOfNewTests(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		gate          string
		base, changes prooftest.Tree
		want, new     []string
	}{
		"a folder of its own": {"pytest", prooftest.Tree{"shop.py": "x", "test_old.py": "x"}, prooftest.Tree{"checks/test_new.py": "x", "checks/conftest.py": "x"}, nil, []string{"checks/conftest.py", "checks/test_new.py"}},
		"beside the product":  {"pytest", prooftest.Tree{"shop/a.py": "x", "test_old.py": "x"}, prooftest.Tree{"shop/test_new.py": "x", "shop/conftest.py": "x"}, []string{"shop/conftest.py"}, []string{"shop/test_new.py"}},
		"beside examples":     {"pytest --doctest-modules", prooftest.Tree{"shop.py": "x"}, prooftest.Tree{"conftest.py": "x"}, []string{"conftest.py"}, nil},
		"with no tests":       {"python3 -m compileall .", prooftest.Tree{"shop.py": "x"}, prooftest.Tree{"conftest.py": "x", "tests/test_new.py": "x"}, nil, nil},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		if what != "with no tests" {
			k.Ran = func() (ratchet.Names, error) { return nil, nil }
		}
		got, err := k.Judges()
		if d := cmp.Diff([][]string{c.want, c.new}, [][]string{got.SetAside, got.New}); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}
