package judge

import (
	"slices"
	"testing"

	"ralph/internal/proof/ratchet"
	"ralph/internal/testing/prooftest"
)

// A new module with the name of an installed package that a test imports judges; one
// that a test waits for is the product.
func TestShadowsInstalled(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"tests/test_shop.py": "import shop, yaml as y, other.deep\nfrom requests import get\nif x:\n    import lazy\n    import ujson\n",
		"tests/test_new.py":  "import planned\nimport toml\nimportlib.import_module('tomli')\n", "tests/conftest.py": "import attrs\n",
		"src/shop/__init__.py": "", "src/shop/requests.py": "x", "other/deep.py": "x",
	}
	for _, ran := range []string{"tests/test_shop.py::test_dump", "test_shop.Shop.test_dump", "tests.test_shop.Shop.test_dump"} {
		for _, c := range []struct {
			file  string
			aside bool
		}{
			{"yaml.py", true},
			{"src/yaml/__init__.py", true},
			{"_vendor/yaml.py", true},
			{"yaml.cpython-312-x86_64-linux-gnu.so", true},
			{"yaml", true},
			{"unittest", true},
			{"shop", false},
			{"requests.py", true},
			{"ujson.py", true},
			{"toml.py", true},
			{"tomli.py", true},
			{"attrs.py", true},
			{"planned.py", false},
			{"shop.py", false},
			{"lazy.py", false},
			{"deep/other.py", false},
			{"src/shop/yaml.py", false},
			{"numpy.py", false},
			{"yaml.txt", false},
		} {
			content := "new"
			if c.file == "yaml" || c.file == "unittest" || c.file == "shop" {
				content = "link:other"
			}
			k, _ := change("pytest", base, prooftest.Tree{c.file: content})
			k.Ran = func() (ratchet.Names, error) {
				return ratchet.Names{{Name: ran, Outcome: ratchet.TestFailed}, {Name: "unittest.loader._FailedTest.test_new", Outcome: ratchet.TestFailed}}, nil
			}
			k.Installed = func(module string) (bool, error) {
				return slices.Contains([]string{"ujson", "toml", "tomli", "attrs", "numpy"}, module), nil
			}
			got, err := k.Judges()
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(got.SetAside, c.file) != c.aside {
				t.Errorf("%s, %s: set aside %q", ran, c.file, got.SetAside)
			}
		}
	}
}
