package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestCopiedLines: lines of the data of tests, in one text or in several.
func TestCopiedLines(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"tests/golden/march.txt": "Date        Text      Amount\n2024-03-01  Salary  2,500.00\n2024-03-04  Rent     -980.00\n",
		"tests/test_a.py":        "assert render() == open('golden/march.txt').read()\n", "a.py": "def render():\n    return ''\n",
	}
	for text, want := range map[string]string{
		"def render():\n    return '\\n'.join([\n        '2024-03-01  Salary  2,500.00',\n        '2024-03-04  Rent     -980.00'])\n": "[a.py:3 " + copiesLines + "tests/golden/march.txt]",
		"def render():\n    return '2024-03-01  Salary  2,500.00\\n2024-03-04  Rent     -980.00\\n'\n":                                "[a.py:2 " + copiesLines + "tests/golden/march.txt]",
		"def render():\n    return row('Date        Text      Amount')\n":                                                             "[]",
		"def render():\n    return row('2024-03-01  Salary  2,500.00')\n":                                                             "[]",
	} {
		k, s := change("pytest", base, prooftest.Tree{"a.py": text})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		if got := fmt.Sprint(found); got != want || err != nil {
			t.Errorf("%q: %s %v, want %s", text, got, err, want)
		}
	}
}
