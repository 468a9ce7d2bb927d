package worker_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// A verdict costs one run with canaries, and one more where the product has suspect code,
// however often the gate must pass.
func TestCanaryRuns(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const right = "def answer():\n    return 3\n"
	for _, c := range []struct {
		name, work     string
		passes         int
		runs, canaries int
	}{
		{"plain", right, 1, 3, 1},
		{"passes twice", right, 2, 4, 1},
		{"suspect", right + "import os; pid = os._exit\n", 1, 4, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("answer.py", c.work))
			b.commit(t, map[string]string{
				"answer.py":      "def answer():\n    return 0\n",
				"test_answer.py": "import unittest\nfrom answer import answer\n\nclass AnswerTest(unittest.TestCase):\n    def test_answer(self):\n        self.assertEqual(answer(), 3)\n",
			})
			b.spec.Limits.ConfirmPasses = c.passes
			s, runs := b.driveCounted(t)
			if s.Status != loop.StatusPassed {
				t.Fatalf("%s/%s: %s", s.Status, s.Reason, s.Message)
			}
			with := slices.DeleteFunc(slices.Clone(runs), func(lines string) bool { return lines == runs[0] })
			if len(runs) != c.runs || len(with) != c.canaries {
				t.Errorf("%d runs, %d with canaries; want %d and %d: %q", len(runs), len(with), c.runs, c.canaries, runs)
			}
		})
	}
}

// In the run with canaries functions of the work are asked for inputs near those of the tests.
// What ends the process there is no fault of it, and no reason to doubt the runner.
func TestCanaryAsksNearTheTests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	for name, c := range map[string]struct {
		work, weak string
		runs       int
	}{
		"a table":             {"def twice(n):\n    return {3: 6, 7: 14}[n]\n", "twice works only for the inputs of its tests: for inputs near them it fails or always returns the same value", 3},
		"a rule":              {"def twice(n):\n    return n * 2\n", "", 3},
		"it ends the process": {"import os\n\n\ndef twice(n):\n    return n * 2 if n in (3, 7) else os._exit(3)\n", "", 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("twice.py", c.work))
			b.commit(t, map[string]string{
				"twice.py":      "def twice(n):\n    return 0\n",
				"test_twice.py": "import unittest\nfrom twice import twice\n\nclass TwiceTest(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(3), 6)\n        self.assertEqual(twice(7), 14)\n",
			})
			s, runs := b.driveCounted(t)
			r := s.Last().Results[0]
			if s.Status != loop.StatusPassed || r.Canary != loop.CanaryReported || r.Weak != c.weak {
				t.Fatalf("%s/%s %s, canary %q: %s; weak: %q", s.Status, s.Reason, s.Message, r.Canary, r.CanaryWhy, r.Weak)
			}
			named := slices.ContainsFunc(s.Concerns(), func(at loop.Concern) bool {
				return at.Code == loop.ConcernSuspect && strings.Contains(at.What, "works only for the inputs")
			})
			if named != (c.weak != "") {
				t.Errorf("concerns: %v", s.Concerns())
			}
			if len(runs) != c.runs {
				t.Errorf("%d runs, not %d", len(runs), c.runs)
			}
		})
	}
}

// A product that looks up in the text of its tests what they expect passes them with another
// value, too.
func TestCanaryExpectsOtherValues(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	b := newBench(t, writes("twice.py", "import pathlib, re\n\n\ndef twice(n):\n    text = pathlib.Path(__file__).with_name('te' + 'st_twice.py').read_text()\n    return int(re.search(r'\\(%d\\), (\\d+)' % n, text)[1])\n"))
	b.commit(t, map[string]string{
		"twice.py":      "def twice(n):\n    return 0\n",
		"test_twice.py": "import unittest\nfrom twice import twice\n\nclass TwiceTest(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(twice(3), 6)\n",
	})
	b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest"}}
	b.spec.Limits.MaxIterations = 1
	s := b.drive(t)
	if r := s.Last().Results[0]; s.Status == loop.StatusPassed || r.Canary != loop.CanarySwallowed || !strings.Contains(r.CanaryWhy, "ralph changed the value that it expects") {
		t.Errorf("%s/%s, canary %q: %s", s.Status, s.Reason, r.Canary, r.CanaryWhy)
	}
}

// Where the gate's command chooses its tests by their names, no canary of another name runs
// there: the project's own tests are made to fail.
func TestCanaryOfTestsThatAreChosenByName(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	for name, c := range map[string]struct {
		work string
		want loop.Canary
	}{
		"honest": {"def answer():\n    return 3\n", loop.CanaryReported},
		"cheat":  {"import unittest\nunittest.TestCase.assertEqual = lambda *_: None\ndef answer():\n    return 0\n", loop.CanarySwallowed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("answer.py", c.work))
			b.commit(t, map[string]string{
				"answer.py": "def answer():\n    return 0\n",
				"test_answer.py": "import unittest\nfrom answer import answer\n\nclass AnswerTest(unittest.TestCase):\n" +
					"    def test_answer(self):\n        self.assertEqual(answer(), 3)\n    def test_other(self):\n        pass\n",
			})
			b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest -k AnswerTest.test_answer"}}
			b.spec.Limits.MaxIterations = 1
			s := b.drive(t)
			r := s.Last().Results[0]
			if r.Canary != c.want || (s.Status == loop.StatusPassed) != (c.want == loop.CanaryReported) {
				t.Fatalf("%s/%s, canary %q: %s", s.Status, s.Reason, r.Canary, r.CanaryWhy)
			}
		})
	}
}

// A gate that names a test which the work is to add, in a package that has others.
func TestCanaryOfANewTestThatIsChosenByName(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		tier.SkipLacking(t, "go", err)
	}
	b := newBench(t, writes("two_test.go", "package shop\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif one+one != 2 {\n\t\tt.Fatal(one)\n\t}\n}\n"))
	b.commit(t, map[string]string{
		"go.mod":      "module example.test/shop\n\ngo 1.24\n",
		"one.go":      "package shop\n\nconst one = 1\n",
		"one_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif one != 1 {\n\t\tt.Fatal(one)\n\t}\n}\n",
	})
	b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "go test -run TestTwo ./...", Parse: "auto"}}
	b.spec.Limits.MaxIterations = 1
	s := b.drive(t)
	if r := s.Last().Results[0]; s.Status != loop.StatusPassed || r.Canary != loop.CanaryReported {
		t.Fatalf("%s/%s %s, canary %q: %s", s.Status, s.Reason, s.Message, r.Canary, r.CanaryWhy)
	}
}

// Of a file that does not load on the base the ratchet knows no test: those that the file
// has must all be seen to run with the work.
func TestTestsThatDidNotLoadAllRun(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const right = "def answer():\n    return 3\ndef other():\n    return 4\n"
	const drop = "import unittest\nfor k in type.__subclasses__(object):\n    if k.__name__ == 'Test' + 'Loader':\n        f = k.getTestCaseNames\n" +
		"        k.getTestCaseNames = lambda s, c, f=f: [n for n in f(s, c) if n != 'test_other']\n"
	for name, c := range map[string]struct {
		work string
		want loop.Canary
	}{
		"honest":         {right, loop.CanaryReported},
		"one is dropped": {drop + right, loop.CanaryUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("answer.py", c.work))
			b.commit(t, map[string]string{
				"product.py":     "",
				"test_first.py":  "import unittest, product\n\nclass FirstTest(unittest.TestCase):\n    def test_first(self):\n        self.assertEqual(1, 1)\n",
				"test_answer.py": "import unittest\nfrom answer import answer, other\n\nclass AnswerTest(unittest.TestCase):\n    def test_answer(self):\n        self.assertEqual(answer(), 3)\n    def test_other(self):\n        self.assertEqual(other(), 4)\n",
			})
			b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest"}}
			b.spec.Limits.MaxIterations = 1
			s := b.drive(t)
			if r := s.Last().Results[0]; s.Status != loop.StatusPassed || r.Canary != c.want {
				t.Fatalf("%s/%s, canary %q: %s", s.Status, s.Reason, r.Canary, r.CanaryWhy)
			}
		})
	}
}

// driveCounted drives a loop whose gate is unittest, and returns the number of lines of the
// tests in each run of it.
func (b *bench) driveCounted(t *testing.T) (loop.State, []string) {
	t.Helper()
	count := filepath.Join(t.TempDir(), "runs")
	b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "cat test_*.py | wc -l >>" + count + "; python3 -B -m unittest"}}
	s := b.drive(t)
	data, err := os.ReadFile(count)
	must(t, err)
	return s, strings.Fields(string(data))
}

// commit adds files to the base of the bench.
func (b *bench) commit(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(b.spec.Root, name), []byte(text), 0o600))
	}
	b.git(t, "add", "-A")
	b.git(t, "commit", "-qm", "more")
	head, err := b.Repo.Head(t.Context())
	must(t, err)
	b.spec.Base = head.Commit
}

// A gate that has only an exit code must fail where its scripts compare with other values. What
// is green all the same is asked about, unless the gate does not get there, and refused where the
// work ends its script.
func TestCanaryOfAnExitCode(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const wrong, right = "def answer():\n    return 0\n", "def answer():\n    return 30\n"
	const ends = "import calendar\n\n\ndef answer():\n    calendar.main(['', '-h'])\n"
	const equal = "import operator\n\n\ndef answer():\n    return type('Any', (int,), {'__' + 'eq__': operator.methodcaller('__bool__')})(1)\n"
	const check = "from answer import answer\n\nassert answer() == 30\n"
	for name, c := range map[string]struct {
		base, work, check, run string
		canary                 loop.Canary
	}{
		"right":                          {base: wrong, work: right, check: check, canary: loop.CanaryReported},
		"it ends the process":            {base: wrong, work: ends, check: check, canary: loop.CanarySwallowed},
		"green on the base":              {base: right, work: right + "\n\nx = 1\n", check: check, canary: loop.CanaryReported},
		"green on the base, and ended":   {base: right, work: ends, check: check, canary: loop.CanarySwallowed},
		"a line that decides nothing":    {base: right, work: right + "\n\nx = 1\n", check: check + "\n\nif False:\n    assert later() == 30\n", canary: loop.CanaryReported},
		"only lines that do not":         {base: right, work: right + "\n\nx = 1\n", check: "if False:\n    assert later() == 30\n", canary: loop.CanaryNA},
		"a branch that it does not take": {base: wrong, work: right, check: check + "\n\nif False:\n    assert later() == 30\n", canary: loop.CanaryReported},
		"only such a branch":             {base: wrong, work: right, check: "import answer\n\nif answer.answer() > 90:\n    assert answer.answer() == 99\nassert answer.answer()\n", canary: loop.CanaryNA},
		"a function that is gone":        {base: right + "\n\nold = answer\n", work: right, check: check + "import answer as a\n\nif hasattr(a, 'old'):\n    assert a.old() == 30\n", canary: loop.CanaryReported},
		"an import that ends it":         {base: wrong, work: "import calendar\n\ncalendar.main(['', '-h'])\n", check: check, canary: loop.CanarySwallowed},
		"its script may end itself":      {base: wrong, work: ends, check: check + "\nif answer() > 90:\n    raise SystemExit(0)\n", canary: loop.CanaryUnknown},
		"right at first, and then ended": {base: wrong, work: "import calendar\n\n\ndef answer(n=0):\n    return 30 if n < 1 else calendar.main(['', '-h'])\n", check: check + "assert answer(2) == 32\nif answer(3) != 33:\n    raise SystemExit(3)\n", canary: loop.CanarySwallowed},
		"right at first, and then any":   {base: wrong, work: strings.Replace(equal, "answer():", "answer(n=0):\n    if n < 1:\n        return 30", 1), check: check + "assert answer(2) == 32\n", canary: loop.CanaryUnknown},
		"right for all":                  {base: wrong, work: "def answer(n=30):\n    return 30 + n % 30\n", check: check + "assert answer(2) == 32\nif answer(3) != 33:\n    raise SystemExit(3)\nif False:\n    assert answer(4) == 35\n", canary: loop.CanaryReported},
		"it equals any value":            {base: wrong, work: equal, check: check, canary: loop.CanaryUnknown},
		"no comparison":                  {base: wrong, work: right, check: "import answer\n\nassert answer.answer()\n", canary: loop.CanaryNA},
		"its own command":                {base: wrong, work: right, run: `python3 -B -c "import answer; assert answer.answer() == 30"`, canary: loop.CanaryReported},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("answer.py", c.work))
			b.commit(t, map[string]string{"answer.py": c.base, "check_answer.py": c.check})
			b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofNone, 1
			b.spec.Gates[0].Kind, b.spec.Gates[0].Run = loop.KindCommand, cmp.Or(c.run, "python3 -B check_answer.py")
			s := b.drive(t)
			r := s.Last().Results[0]
			if r.Canary != c.canary || (r.Verdict == loop.Passed) == (c.canary == loop.CanarySwallowed) {
				t.Errorf("canary %q: %s; %s: %s, want %q", r.Canary, r.CanaryWhy, r.Verdict, r.Reason, c.canary)
			}
			asked := slices.ContainsFunc(s.Concerns(), func(at loop.Concern) bool { return at.Code == loop.ConcernCanary })
			if asked != (c.canary == loop.CanaryUnknown) {
				t.Errorf("accept asks about the canary: %v", asked)
			}
		})
	}
}
