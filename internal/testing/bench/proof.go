package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/proc"
)

// proof measures what it costs that a verdict is more than a green gate: the clean
// room of each gate, and all five properties of a whole loop.
func (b *bench) proof(ctx context.Context) ([]row, error) {
	var rows []row
	for _, files := range []int{100, 5000} {
		r, err := b.room(ctx, files)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	whole, err := b.wholeProof(ctx)
	if err != nil || whole == nil {
		return rows, err
	}
	long, err := b.longProof(ctx)
	return slices.Concat(rows, whole, long), err
}

// manyGates is a configuration with some gates that do nothing, and one that is red
// until the work is done.
func manyGates(n, work int, where string) string {
	var y strings.Builder
	fmt.Fprintf(&y, "version: 1\ngates_in: %s\ngates:\n  said: {run: grep -q %d said.txt}\n", where, work)
	for i := range n {
		fmt.Fprintf(&y, "  g%02d: {run: \"true\"}\n", i)
	}
	return y.String()
}

// room compares gates in clean rooms with gates in the agent's own tree: the
// difference between a loop with many gates and a loop with one, divided by what
// the loop runs more. Each gate runs on the base and on the work.
func (b *bench) room(ctx context.Context, files int) (row, error) {
	const many = 21
	repo, err := b.repository(ctx, fmt.Sprintf("rooms-%d", files), files)
	if err != nil {
		return row{}, err
	}
	loops := 0
	each := func(where string) side {
		return func(ctx context.Context) (float64, error) {
			var took [2]float64
			for i, n := range []int{1, many} {
				loops++
				config := filepath.Join(b.dir, fmt.Sprintf("gates-%s-%d.yaml", where, n))
				if err := write(config, manyGates(n, loops, where)); err != nil {
					return 0, err
				}
				c := b.ralphIn(repo, "run", fmt.Sprintf("say %d", loops), "--config", config, "--proof", "none",
					"--agent-cmd", fmt.Sprintf("echo %d >>said.txt", loops))
				if took[i], err = timed(ctx, c); err != nil {
					return 0, err
				}
			}
			return (took[1] - took[0]) / (2 * (many - 1)), nil
		}
	}
	got, err := b.turns(ctx, b.times(7, 3), each("agent"), each("gate"))
	if err != nil {
		return row{}, err
	}
	return row{
		what: fmt.Sprintf("a gate that does nothing, in a clean room, %d files", files), beside: "the same in the agent's tree (`gates_in: agent`)",
		unit: "ms", floor: got[0], ours: got[1],
		target: target{"≤ 15 ms more", func(f, o float64) bool { return o <= f+15 }},
		note:   "Both run in the sandbox that ralph chooses here, and are recorded durably. The room is layers of the tree, the git directory and the HOME where the kernel has them: `ralph doctor` says which.",
	}, nil
}

// Project of wholeProof: a task that is red on the base, and tests that take some seconds, as most
// of a suite does beside the tests of a task; slowTest is one that takes them itself.
const (
	slowTests = `import time, unittest

import calc


class Calc(unittest.TestCase):
    def test_add(self):
        self.assertEqual(calc.add(1, 2), 3)

    def test_others(self):
        time.sleep(%d)
        self.assertEqual(calc.add(0, 0), 0)
`
	slowTest = `import time, unittest

import calc


class Calc(unittest.TestCase):
    def test_add(self):
        time.sleep(%d)
        self.assertEqual(calc.add(1, 2), 3)
`
	wrongSum = "def add(a, b):\n    return a - b\n"
	rightSum = "def add(a, b):\n    return a + b\n"
	unittest = "python3 -m unittest"
)

// What the work adds where its tests are red by build.
const (
	double     = "\n\ndef double(a):\n    return 2 * a\n"
	doubleTest = "import unittest\n\nimport calc\n\n\nclass Double(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(calc.double(4), 8)\n"
)

// calculator makes a repository with tests that take some seconds.
func (b *bench) calculator(ctx context.Context, name, source, tests string, seconds int) (repo string, err error) {
	repo = filepath.Join(b.dir, name)
	err = errors.Join(write(filepath.Join(repo, "calc.py"), source), write(filepath.Join(repo, "test_calc.py"), fmt.Sprintf(tests, seconds)),
		write(filepath.Join(repo, ".gitignore"), "__pycache__\n"), write(filepath.Join(b.dir, "right.py"), rightSum),
		write(filepath.Join(b.dir, "double.py"), double), write(filepath.Join(b.dir, "test_double.py"), doubleTest))
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}, {"commit", "--quiet", "--message", "base"}} {
		if err == nil {
			_, err = must(ctx, b.gitIn(repo, args...))
		}
	}
	return repo, err
}

// wholeProof compares a loop that passes in one attempt with the two runs of its gate
// that every loop needs: before the work and after it.
func (b *bench) wholeProof(ctx context.Context) ([]row, error) {
	if _, err := proc.LookPath("python3"); err != nil {
		b.say("  python3 is not installed: the whole proof is not measured")
		return nil, nil //nolint:nilerr // the message says that it is left out
	}
	repo, err := b.calculator(ctx, "proof", wrongSum, slowTests, 1)
	if err != nil {
		return nil, err
	}
	green, err := b.calculator(ctx, "proof-green", rightSum, slowTests, 1)
	if err != nil {
		return nil, err
	}
	got, err := b.turns(ctx, b.times(5, 3), b.gateTwice(repo), b.right(repo, ""), b.right(repo, changedTest), b.proved(green, b.added()))
	if err != nil {
		return nil, err
	}
	const note = "Tests of one second, red on the base. The runs of the gate: on the base, on the work, with a canary, where a judge file changed once more with that of the base, and the red test alone on the base again."
	return []row{
		{what: "a loop of one attempt and its whole proof, no judge file changed", beside: "its gate twice, by hand", unit: "ms", floor: got[0], ours: got[1], target: ratioAtMost(1.1), note: note},
		{what: "the same, a judge file changed", beside: "its gate twice, by hand", unit: "ms", floor: got[0], ours: got[2], target: ratioAtMost(2.1), note: note},
		{
			what: "a new function and its test, which is red by build", beside: "its gate twice, by hand", unit: "ms", floor: got[0], ours: got[3],
			note: "Tests of one second, green on the base. The runs of the gate: on the base, on the work, with the tests of the base alone, with a canary, without the work, and with the new function giving another value.",
		},
	}, nil
}

// added is what an agent does that writes a function and its test.
func (b *bench) added() string {
	return "cat " + filepath.Join(b.dir, "double.py") + " >>calc.py; cp " + filepath.Join(b.dir, "test_double.py") + " .; "
}

// changedTest is a change of a judge file that lets the tests be as they are.
const changedTest = "echo '# a remark' >>test_calc.py"

// longProof is the same where the tests take long, so that what ralph itself needs counts for
// less.
func (b *bench) longProof(ctx context.Context) ([]row, error) {
	repo, err := b.calculator(ctx, "proof-long", wrongSum, slowTests, 5)
	if err != nil {
		return nil, err
	}
	green, err := b.calculator(ctx, "proof-long-green", rightSum, slowTests, 5)
	if err != nil {
		return nil, err
	}
	slow, err := b.calculator(ctx, "proof-slow", wrongSum, slowTest, 5)
	if err != nil {
		return nil, err
	}
	got, err := b.turns(ctx, b.times(3, 1), b.gateTwice(repo), b.right(repo, ""), b.right(repo, changedTest), b.proved(green, b.added()), b.right(slow, ""))
	if err != nil {
		return nil, err
	}
	const note = "As [3], with tests of five seconds: three and four runs of all tests, so that the least is 1.5 × and 2 ×."
	return []row{
		{what: "tests of five seconds, no judge file changed", beside: "its gate twice, by hand", unit: "ms", floor: got[0], ours: got[1], target: ratioAtMost(1.1), note: note},
		{what: "the same, a judge file changed", beside: "its gate twice, by hand", unit: "ms", floor: got[0], ours: got[2], target: ratioAtMost(2.1), note: note},
		{
			what: "the same, a new function and its test, which is red by build", beside: "its gate twice, by hand", unit: "ms", floor: got[0], ours: got[3],
			note: "Tests of five seconds, green on the base. The runs of all tests: on the base, on the work, without the new test, and with a canary. The new test alone runs without the work, with it, and with the new function giving another value.",
		},
		{
			what: "the same, a test of five seconds that is itself red on the base", beside: "its gate twice, by hand", unit: "ms", floor: got[0], ours: got[4],
			note: "Nothing is gained where the red test is what takes the time: it runs four times.",
		},
	}, nil
}

// gateTwice is the gate of a calculator, run twice by hand.
func (b *bench) gateTwice(repo string) side {
	return timing(proc.Command{Argv: []string{"sh", "-c", unittest + "; " + unittest + "; :"}, Dir: repo, Env: b.env(b.state())})
}

// right is a loop whose agent adds rightly, and does something else besides.
func (b *bench) right(repo, besides string) side {
	return b.proved(repo, "cp "+filepath.Join(b.dir, "right.py")+" calc.py; "+besides)
}

// proved is a loop of one attempt with this agent.
func (b *bench) proved(repo, agent string) side {
	loops := 0
	return func(ctx context.Context) (float64, error) {
		loops++
		return timed(ctx, b.ralphIn(repo, "run", fmt.Sprintf("make add right (%d, %s)", loops, agent), "--until", unittest, "--agent-cmd", agent))
	}
}
