package worker_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// A run that has only to show again what failed, or that something fails, runs those tests alone
// where they show it, and all where they do not.
func TestRunsOfSomeTests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const (
		old   = "import unittest\nimport shop\n\n\nclass Old(unittest.TestCase):\n    def test_rate(self):\n        self.assertEqual(shop.rate(), %)\n\n    def test_other(self):\n        shop.seen = True\n"
		right = "seen = False\n\n\ndef rate():\n    return 19\n"
		wrong = "seen = False\n\n\ndef rate():\n    return 7\n"
		added = "\n\ndef tax(n):\n    return n * rate() // 100\n"
		fresh = "import unittest\nimport shop\n\n\nclass New(unittest.TestCase):\n    def test_tax(self):\n        self.assertEqual(shop.tax(200), 38)\n"
		// It is red alone, whatever the product does, and green after another one.
		leans = "import unittest\nimport shop\n\n\nclass New(unittest.TestCase):\n    def test_tax(self):\n        self.assertTrue(shop.seen)\n"
	)
	for name, c := range map[string]struct {
		base, work, test string
		run              string
		label            string
		runs             []string // of tests, on the base again or without the work: all, or some
	}{
		"red on the base":                {base: wrong, work: right, label: "proved: red on the base", runs: []string{"again-red-1 1"}},
		"a new function":                 {base: right, work: right + added, test: fresh, label: "proved: red by build", runs: []string{"other-new 1", "with-new 1", "without-new 1"}},
		"a new test that needs others":   {base: right, work: right + added, test: leans, label: loop.Unproved, runs: []string{"with-new 1", "without-new 1", "without 3"}},
		"one of the new tests does":      {base: right, work: right + added, test: fresh + "\n    def test_tax_leans(self):\n        self.assertTrue(shop.seen)\n", label: "proved: red by build", runs: []string{"other 4", "with-new 2", "without-new 2", "without 4"}},
		"a runner that cannot be told":   {base: right, work: right + added, test: fresh, run: "sh test.sh", label: "proved: red by build", runs: []string{"other 3", "without-new 3"}},
		"red on the base, not told":      {base: wrong, work: right, run: "sh test.sh", label: "proved: red on the base", runs: []string{"again-red-1 2"}},
		"a choice of the command itself": {base: wrong, work: right, run: "python3 -B -m unittest -k test_rate", label: "proved: red on the base", runs: []string{"again-red-1 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(tree string) error {
				if err := writes("shop.py", c.work)(tree); err != nil || c.test == "" {
					return err
				}
				return writes("test_shop_tax.py", c.test)(tree)
			})
			b.commit(t, map[string]string{"shop.py": c.base, "test_shop.py": strings.ReplaceAll(old, "%", "19"), "test.sh": "python3 -B -m unittest -v\n"})
			b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest"}}
			if c.run != "" {
				b.spec.Gates[0].Run = c.run
			}
			b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofRequired, 1
			b.WorthChoosing = time.Nanosecond
			s := b.drive(t)
			p := s.Last().Proof
			if p == nil || p.Label() != c.label || (s.Status == loop.StatusPassed) != (c.label != loop.Unproved) {
				t.Errorf("%+v\nwant %s; %s: %s", p, c.label, s.Status, s.Message)
			}
			if got := limited(t, b); !slices.Equal(got, c.runs) {
				t.Errorf("%q, want %q", got, c.runs)
			}
		})
	}
}

// limited tells the runs for the proof by their names, and how many tests ran in each.
func limited(t *testing.T, b bench) (out []string) {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(b.Files.Dir, "attempts", "*", "gates", "tests.*.log"))
	must(t, err)
	for _, log := range logs {
		name := strings.Split(filepath.Base(log), ".")[1]
		if !slices.Contains([]string{"again", "with", "without", "other"}, strings.Split(name, "-")[0]) {
			continue
		}
		data, err := os.ReadFile(log)
		must(t, err)
		out = append(out, name+" "+ran.FindStringSubmatch(string(data))[1])
	}
	return out
}

var ran = regexp.MustCompile(`Ran ([0-9]+) test`)

// TestFewRedTests: where few of many tests were red on the base, they must be red there three times.
func TestFewRedTests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const tests = `import pathlib, unittest
import shop


class Shop(unittest.TestCase):
    def test_luck(self):
        if shop.done:
            return
        runs = pathlib.Path("DIR")
        n = len(list(runs.iterdir()))
        (runs / str(n)).touch()
        self.assertEqual("BASE"[n], "G")
`
	for name, c := range map[string]struct {
		base, label, why string
		others, runs     int // tests of the gate beside this one, and its runs on the base
	}{
		"red each time":      {base: "RRR", others: 3, runs: 3, label: "proved: red on the base", why: "gate tests failed before the work"},
		"green at the third": {base: "RRG", others: 3, runs: 3, label: loop.Unproved, why: "on the base test_shop.Shop.test_luck is red and green on the same files: flaky"},
		"of fewer tests":     {base: "RR", others: 2, runs: 2, label: "proved: red on the base", why: "gate tests failed before the work"},
		"green alone":        {base: "RGR", others: 3, runs: 3, label: "proved: red on the base", why: "gate tests failed before the work"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			text := strings.NewReplacer("DIR", dir, "BASE", c.base).Replace(tests)
			for i := range c.others {
				text += fmt.Sprintf("\n    def test_%d(self):\n        pass\n", i)
			}
			b := newBench(t, writes("shop.py", "done = True\n"))
			b.commit(t, map[string]string{"shop.py": "done = False\n", "test_shop.py": text})
			b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest"}}
			b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofRequired, 1
			s := b.drive(t)
			p := s.Last().Proof
			if p == nil || p.Label() != c.label || !strings.HasSuffix(p.Why, c.why) {
				t.Errorf("%+v\nwant %s: %s; %s", p, c.label, c.why, s.Message)
			}
			logs, err := filepath.Glob(filepath.Join(b.Files.Dir, "attempts", "*", "gates", "tests.again*.log"))
			must(t, err)
			if len(logs)+1 != c.runs {
				t.Errorf("%q, want %d runs on the base", logs, c.runs)
			}
		})
	}
}
