package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestOptionalModules: a module that tests of the base can do without is named where the work
// adds it.
func TestOptionalModules(t *testing.T) {
	t.Parallel()
	const (
		python = "try:\n    from local_settings import CASES\nexcept ImportError:\n    CASES = {50: 10}\n\nfrom shop import tax\n"
		script = "let cases = [[50, 10]];\ntry {\n  cases = require('../local');\n} catch {}\nconst { tax } = require('../tax');\n"
		named  = takesPlace + " what existing tests use without it"
	)
	for what, c := range map[string]struct {
		test, text, added, want string
	}{
		"python":             {"tests/test_tax.py", python, "local_settings.py", "local_settings.py " + named},
		"beside the test":    {"tests/test_tax.py", python, "src/local_settings/__init__.py", "src/local_settings/__init__.py " + named},
		"python, waited for": {"tests/test_tax.py", python, "shop.py", ""},
		"node":               {"test/tax.test.js", script, "local.json", "local.json " + named},
		"node, a name":       {"test/tax.test.js", strings.Replace(script, "  cases =", "  const { cases } =", 1), "local.json", "local.json " + named},
		"node, waited for":   {"test/tax.test.js", script, "tax.js", ""},
		"no test imports it": {"tools/tax.py", python, "local_settings.py", ""},
	} {
		k, s := change("make check", prooftest.Tree{c.test: c.text}, prooftest.Tree{c.added: "x = 1\n"})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if strings.Join(got, ", ") != c.want || err != nil {
			t.Errorf("%s: %q %v, want %q", what, got, err, c.want)
		}
	}
}
