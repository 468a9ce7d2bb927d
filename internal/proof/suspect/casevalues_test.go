package suspect

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestHoldsCases: values of tests in the product, in sources and in data, where most are theirs.
func TestHoldsCases(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"days.py":            "def add(date, n):\n    return date\n",
		"tests/test_days.py": "@pytest.mark.parametrize('date,n,want', [\n    ('2024-03-08', 1, '2024-03-11'),\n    ('2024-03-09', 2, '2024-03-12'),\n    ('2024-12-24', 86400, 1234567),\n])\ndef test_add(date, n, want):\n    assert add(date, n) == want\n",
	}
	for _, c := range []struct{ file, text, task, want string }{
		{"days.py", "def add(date, n):\n    if date in ('2024-03-08',) and n == 1:\n        return '2024-03-11'\n    return '2024-03-12'\n", "", "days.py:2"},
		{"days.py", "def add(date, n):\n    if date in ('2024-03-08',) and n == 1:\n        return '2024-03-11'\n    return '2024-03-12'\n", "2024-03-08 is a Friday, 2024-03-11 a Monday", ""},
		{"days.py", "def add(date, n):\n    \"\"\"'2024-03-08', '2024-03-09', '2024-03-11'\"\"\"\n    return date  # '2024-03-12'\n", "", ""},
		{"days.py", "HOLIDAYS = ['2024-01-01', '2024-05-01', '2024-12-24', '2024-12-25', '2024-03-08', '2024-03-09']\n", "", ""},
		{"days.py", "DAY = 86400\nHOUR = 3600\nBIG = 1234567\n", "", ""},
		{"data/days.json", "{\"2024-03-08\": {\"1\": \"2024-03-11\"},\n \"2024-03-09\": {}}\n", "", "data/days.json:1"},
		{"data/days.json", "{\"2024-03-08\": {\"1\": \"2024-03-11\"},\n \"2024-03-09\": {}}\n", "read data/days.json", ""},
		{"tests/more.json", "[\"2024-03-08\", \"2024-03-11\", \"2024-03-09\"]\n", "", ""},
	} {
		k, s := change("pytest", base, prooftest.Tree{c.file: c.text})
		found, _, err := Find(k.Base, k.Work, judge.Duties{Task: c.task}, s.Read)
		got := ""
		for _, f := range found {
			if f.What == holdsCases {
				got = fmt.Sprintf("%s:%d", f.Path, f.Line)
			}
		}
		if got != c.want || err != nil {
			t.Errorf("%q: %q %v, want %q", strings.TrimSpace(c.text), got, err, c.want)
		}
	}
}
